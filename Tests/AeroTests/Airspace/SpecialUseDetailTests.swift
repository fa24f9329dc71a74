import Core
import TestSupport
import Testing

@testable import ChartpipeKit

/// Times, agencies, frequencies and invalid files.
struct SpecialUseDetailTests {
  private typealias Sample = SpecialUseSample

  private let base = SpecialUseSample.component(
    "BASE", 1, "GND", "UNL", SpecialUseSample.box(-118, 35, -116, 37))

  private func unit(_ id: String, _ name: String, _ type: String) -> String {
    """
    <aixm:Unit gml:id="\(id)"><aixm:timeSlice><aixm:UnitTimeSlice><aixm:name>\(name)</aixm:name><aixm:type>\(type)</aixm:type>
    </aixm:UnitTimeSlice></aixm:timeSlice></aixm:Unit>
    """
  }

  private func usage(_ timesheets: String, hours: String = "TIMSH", of area: String? = nil) -> String {
    """
    <aixm:AirspaceUsage gml:id="Usage1"><aixm:timeSlice><aixm:AirspaceUsageTimeSlice><aixm:activity>MILOPS</aixm:activity>
    \(area.map { "<aixm:restrictedAirspace xlink:href=\"#\($0)\"/>" } ?? "")
    <aixm:workingHours>\(hours)</aixm:workingHours>\(timesheets)
    <aixm:extension><saa:AirspaceUsageExtension><saa:daylightSavings>YES</saa:daylightSavings></saa:AirspaceUsageExtension>
    </aixm:extension></aixm:AirspaceUsageTimeSlice></aixm:timeSlice></aixm:AirspaceUsage>
    """
  }

  private let timesheets = """
    <aixm:Timesheet><aixm:timeReference>UTC</aixm:timeReference><aixm:day>MON</aixm:day><aixm:dayTil>FRI</aixm:dayTil>
    <aixm:startTime>07:00</aixm:startTime><aixm:endTime>22:00</aixm:endTime><aixm:extension><saa:TimesheetExtension>
    <saa:timeOffset>-8</saa:timeOffset></saa:TimesheetExtension></aixm:extension></aixm:Timesheet>
    <aixm:Timesheet><aixm:day>SAT</aixm:day><aixm:startEvent>SR</aixm:startEvent>
    <aixm:startTimeRelativeEvent uom="MIN">-60</aixm:startTimeRelativeEvent><aixm:endEvent>SS</aixm:endEvent></aixm:Timesheet>
    """

  @Test func `a timetable becomes a line of text, JSON and rows`() throws {
    let built = try AirspaceBench(special: [Sample.airspace("R-1", [base]), usage(timesheets)]).build()
    try built.expect(
      "SELECT hours, activity, json_extract(times, '$[1].startMinutes') FROM airspaces",
      gives: [
        ["MON-FRI 0700-2200 UTC-8 with daylight saving; SAT 60 min before sunrise-sunset", "MILOPS", "-60"]
      ])
    try built.expect(
      "SELECT number, day, dayTo, start, end, startEvent, startMinutes, endEvent, utcOffset FROM airspaceTimes",
      gives: [
        ["1", "MON", "FRI", "0700", "2200", "NULL", "NULL", "NULL", "-8.0"],
        ["2", "SAT", "NULL", "NULL", "NULL", "sunrise", "-60", "sunset", "NULL"],
      ])
  }

  @Test func `a timetable applies to its own airspace only`() throws {
    let built = try AirspaceBench(special: [
      Sample.airspace("R-1", id: "A", [base]), Sample.airspace("R-2", id: "B", [base]),
      usage("", hours: "CONT", of: "B"),
    ]).build()
    try built.expect(
      "SELECT designator, hours FROM airspaces ORDER BY id",
      gives: [["R-1", "NULL"], ["R-2", "continuous"]])
  }

  @Test func `reads the times of use in the description without a timetable`() throws {
    let notes =
      "Designated altitudes. Surface. Times of use. Intermittent by NOTAM.&#10;Controlling agency. FAA."
    let built = try AirspaceBench(special: [Sample.airspace("R-1", notes: notes, [base])]).build()
    try built.expect("SELECT hours FROM airspaces", gives: ["Intermittent by NOTAM."])
    #expect(try built.column("SELECT remark FROM airspaces")[0].contains("Controlling agency. FAA."))
  }

  @Test func `has the controlling and using agencies and their frequencies`() throws {
    let service = """
      <aixm:AirTrafficControlService gml:id="S"><aixm:timeSlice><aixm:AirTrafficControlServiceTimeSlice>
      <aixm:serviceProvider xlink:href="#U2"/></aixm:AirTrafficControlServiceTimeSlice></aixm:timeSlice>
      <saa:RadioCommunicationChannelAllocation><saa:associatedAirspace xlink:href="#A"/><saa:allocatedChannelDetails>
      <saa:SaaRadioCommunicationChannel><saa:communicationAllowed>CIVIL</saa:communicationAllowed><saa:charted>YES</saa:charted>
      <saa:associatedChannel xlink:href="#C1"/></saa:SaaRadioCommunicationChannel></saa:allocatedChannelDetails>
      </saa:RadioCommunicationChannelAllocation></aixm:AirTrafficControlService>
      """
    func channel(_ id: String, _ frequency: String) -> String {
      """
      <aixm:RadioCommunicationChannel gml:id="\(id)"><aixm:timeSlice><aixm:RadioCommunicationChannelTimeSlice>
      <aixm:mode>AM</aixm:mode><aixm:frequencyTransmission uom="MHZ">\(frequency)</aixm:frequencyTransmission>
      </aixm:RadioCommunicationChannelTimeSlice></aixm:timeSlice></aixm:RadioCommunicationChannel>
      """
    }
    let built = try AirspaceBench(special: [
      Sample.airspace("R-1", id: "A", [base]), Sample.airspace("R-2", id: "B", [base]), service,
      channel("C1", "126.55"), channel("C2", "291.6"), channel("C3", "wrong"),
      unit("U1", "LOS ANGELES ARTCC", "ARTCC"),
      unit("U2", "JOSHUA APPROACH", "APP"), unit("U3", "COMMANDER", "MILOPS"),
    ]).build()
    try built.expect(
      "SELECT DISTINCT agency, usingAgency FROM airspaces", gives: [["JOSHUA APPROACH", "COMMANDER"]])
    // The second channel has no allocation, so it belongs to airspaces without their own.
    try built.expect(
      """
      SELECT designator, number, frequency, mode, traffic, isCharted FROM airspaceFrequencies JOIN airspaces USING (area)
      ORDER BY 1
      """, gives: [["R-1", "1", "126.55", "AM", "civil", "1"], ["R-2", "1", "291.6", "AM", "NULL", "NULL"]])
  }

  /// Unreadable files beside a readable one.
  @Test(arguments: [
    ("<saa:SaaMessage><aixm:Airspace>", "it is no XML, or damaged"), ("", "it is no XML, or damaged"),
    ("PK", "it is no XML, or damaged"),
    ("<!DOCTYPE a [<!ENTITY b \"bbbb\">]><a>&b;</a>", "it has a document type, which may hide anything"),
    (String(repeating: "<a>", count: 100), "its elements are nested too deep"),
    (String(repeating: "<a>", count: 50_000), "its elements are nested too deep"),
  ])
  func `drops a file that is not AIXM`(text: String, reason: String) throws {
    var bench = try AirspaceBench(special: [Sample.airspace("R-1", [base])])
    bench.special.append(("BAD.xml", Array(text.utf8)))
    let built = try bench.build()
    try built.expect("SELECT designator FROM airspaces", gives: ["R-1"])
    let dropped = built.problems(.rowDropped, of: "Saa_Sub_File.zip")
    #expect(dropped.map(\.value) == ["BAD.xml"])
    #expect(dropped.map(\.reason) == [reason])
    #expect(dropped.map(\.part) == ["BAD.xml"])
  }

  @Test func `reports an area without readable parts with its reason and line`() throws {
    let high = Sample.component("BASE", 1, "GND", "1e308 FT MSL", Sample.box(-107, 38, -106, 39))
    let bench = try AirspaceBench(special: [Sample.airspace("R-1", [high])])
    bench.subscription.definition.gates.droppedRowShare = 1
    let dropped = try bench.build().problems(.rowDropped, of: "Saa_Sub_File.zip")
    #expect(dropped.map(\.reason) == ["it is not an altitude"])
    #expect(dropped.map(\.column) == ["upperLimit"])
    bench.subscription.definition.gates.droppedRowShare = 0
    let own = try bench.subscriberZip()
    let fault = try bench.fault { request in
      request.specialUse = own
      request.definition.specialUse = ["Saa_{yymmdd}.zip"]
    }
    #expect(fault.message.contains("SaaSubscriberFile.zip: 1 of 1 rows"), "\(fault.message)")
    #expect(
      fault.message.contains("of AREA, CA.xml: upperLimit \"1E308\": it is not an altitude"),
      "\(fault.message)")
  }

  @Test func `a truncated file gives no airspace`() throws {
    let whole = Sample.file([Sample.airspace("R-2", [base])])
    for share in 1...9 {
      var bench = try AirspaceBench(special: [Sample.airspace("R-1", [base])])
      bench.special.append(("CUT.xml", Array(whole.prefix(whole.count * share / 10))))
      #expect(try bench.build().column("SELECT designator FROM airspaces") == ["R-1"], "\(share)")
    }
  }

  @Test(arguments: [
    Sample.box(-1180, 35, -116, 37), Sample.surface(Sample.line(["nan 35", "-116 35", "-116 36"])),
    Sample.surface(Sample.line(["-117", "-116 35", "-116 36"])), Sample.surface(""), "",
    Sample.surface(Sample.line(["-117 35", "-116 35"])),
    Sample.surface(Sample.circle("-117 35", miles: "1e30")),
    Sample.surface(Sample.circle("-117 35", miles: "-5")), Sample.surface(Sample.circle("", miles: "5")),
    Sample.surface(Sample.arc("-117 35", miles: "5", from: "0", to: "1e300")),
    // Twice around the earth.
    Sample.surface(Sample.line(["0 89", "120 89", "-120 89", "0 88", "120 88", "-120 88"])),
  ])
  func `an invalid shape drops only its airspace`(shape: String) throws {
    let built = try AirspaceBench(special: [
      Sample.airspace("R-1", id: "A", [base]),
      Sample.airspace("R-2", id: "B", [Sample.component("BASE", 1, "GND", "UNL", shape)]),
    ]).build()
    try built.expect("SELECT designator FROM airspaces", gives: ["R-1"])
    #expect(built.outcome.problems.droppedRows == 1)
  }

  @Test func `rejects too many volumes`() throws {
    let many = (0..<200).map {
      Sample.component("UNION", $0, "\($0) FT MSL", "UNL", Sample.box(-118, 35, -116, 37))
    }
    let built = try AirspaceBench(special: [
      Sample.airspace("R-1", many), Sample.airspace("R-2", id: "B", [base]),
    ])
    .build()
    try built.expect("SELECT designator FROM airspaces", gives: ["R-2"])
  }

  @Test func `reads the XML from a separate zip and reports a missing one`() throws {
    let bench = try AirspaceBench(special: [Sample.airspace("R-1", [base])])
    let own = try bench.subscriberZip()
    let plain = try AirspaceBench()
    let fault = try plain.fault { $0.definition.specialUse = ["SaaSubscriberFile.zip"] }
    #expect(fault.kind == .badInput)
    #expect(fault.message.contains("no XML files of special-use airspace"))
    plain.subscription.definition.specialUse = []
    let built = try plain.build { $0.specialUse = own }
    try built.expect("SELECT designator FROM airspaces", gives: ["R-1"])
    let files = built.outcome.product.sources.map(\.url)
    #expect(files.contains("SaaSubscriberFile.zip"))
  }

  @Test func `other XML of the FAA is left alone, and so are other names with the zip's letters`() throws {
    var bench = try AirspaceBench()
    bench.special = ["ISAAC MOA", "OTHER MOA"].map { name in
      ("\(name), CA.xml", SpecialUseSample.file([Sample.airspace(name, type: "MOA", [base])]))
    }
    let inner = [UInt8](try bench.subscriberZip().url.data)
    let whole = try zip(
      [("APT_AIXM.xml", Array("no XML".utf8)), ("SaaSubscriberFile.zip", inner)], in: bench.folder,
      name: "aixm5.0.zip")
    bench.special = []
    let built = try bench.build {
      $0.definition.specialUse = []
      $0.specialUse = whole
    }
    try built.expect("SELECT name FROM airspaces ORDER BY id", gives: ["ISAAC MOA", "OTHER MOA"])
    #expect(built.outcome.problems.droppedRows == 0)
  }

  @Test func `too few or too many unusable airspaces stop the build`() throws {
    let good = Sample.airspace("R-1", id: "A", [base])
    let bench = try AirspaceBench(special: [good, Sample.airspace("R-2", id: "B", [])])
    let few = try bench.fault { $0.definition.gates.minimumRows = ["airspaces": 2] }
    #expect(few.message.contains("1 rows for the table airspaces"))
    let bad = try bench.fault { $0.definition.gates.droppedRowShare = 0.4 }
    #expect(bad.message.contains("1 of 2 rows of Saa_Sub_File.zip"))
  }

  @Test func `the same files give the same bytes in any order`() throws {
    var bench = try AirspaceBench()
    bench.special = (1...5).map { number in
      ("\(number).xml", Sample.file([Sample.airspace("R-\(number % 3)", name: "N\(number)", [base])]))
    }
    let first = try bench.build().rows("SELECT * FROM airspaces")
    bench.special.reverse()
    #expect(try bench.build().rows("SELECT * FROM airspaces") == first)
    let bytes = try bench.folder.file("airspace.sqlite").data
    _ = try bench.build()
    #expect(try bench.folder.file("airspace.sqlite").data == bytes)
  }
}

/// Reference systems, positions and duplicates of special-use airspace.
struct SpecialUseSystemTests {
  /// A square at 53 north and 40 west, with its coordinates in either order.
  private static func square(_ system: String, latitudeFirst: Bool, extra: String = "") -> String {
    let corners = [(53, -40), (53, -39), (54, -39), (54, -40)]
    let positions = corners.map { latitude, longitude in
      "<gml:pos>" + (latitudeFirst ? "\(latitude) \(longitude)" : "\(longitude) \(latitude)") + extra
        + "</gml:pos>"
    }
    return """
      <aixm:horizontalProjection><aixm:Surface\(system)><gml:patches><gml:PolygonPatch><gml:exterior><gml:Ring>
      <gml:curveMember><gml:Curve><gml:segments><gml:LineStringSegment>\(positions.joined())</gml:LineStringSegment>
      </gml:segments></gml:Curve></gml:curveMember></gml:Ring></gml:exterior></gml:PolygonPatch></gml:patches>
      </aixm:Surface></aixm:horizontalProjection>
      """
  }

  private static func area(_ shape: String, _ designator: String = "R-1", uuid: String = "") -> String {
    SpecialUseSample.airspace(
      designator, uuid: uuid, [SpecialUseSample.component("BASE", 1, "GND", "180 FL STD", shape)])
  }

  private static let box = [["53.0", "54.0", "-40.0", "-39.0"]]

  @Test(arguments: [
    "EPSG:4326", "urn:ogc:def:crs:EPSG::4326", "urn:ogc:def:crs:EPSG:6.9:4326",
    "http://www.opengis.net/def/crs/EPSG/0/4326", "urn:ogc:def:crs:EPSG::4269", " epsg:4326 ",
  ])
  func `latitude is first in EPSG order`(name: String) throws {
    let bench = try AirspaceBench(special: [
      Self.area(Self.square(" srsName=\"\(name)\"", latitudeFirst: true))
    ])
    #expect(try bench.build().rows("SELECT south, north, west, east FROM airspaces") == Self.box)
  }

  @Test(arguments: [
    "", " srsName=\"OGC:CRS84\"", " srsName=\"urn:ogc:def:crs:OGC:1.3:CRS84\"", " srsName=\"CRS:84\"",
    " srsName=\"\"",
    " srsName=\"http://www.opengis.net/def/crs/OGC/1.3/CRS84\"",
  ])
  func `longitude is first by default and in OGC:CRS84`(system: String) throws {
    let bench = try AirspaceBench(special: [Self.area(Self.square(system, latitudeFirst: false))])
    #expect(try bench.build().rows("SELECT south, north, west, east FROM airspaces") == Self.box)
  }

  @Test func `the innermost declaration counts`() throws {
    let shape = Self.square(" srsName=\"OGC:CRS84\"", latitudeFirst: true)
      .replacing("<gml:LineStringSegment>", with: "<gml:LineStringSegment srsName=\"EPSG:4326\">")
    #expect(
      try AirspaceBench(special: [Self.area(shape)]).build().rows(
        "SELECT south, north, west, east FROM airspaces")
        == Self.box)
  }

  @Test(arguments: ["EPSG:3857", "urn:ogc:def:crs:EPSG::3857", "4326", "EPSG:43260", "nonsense"])
  func `rejects a file with an unknown reference system`(name: String) throws {
    var bench = try AirspaceBench(special: [Self.area(Self.square("", latitudeFirst: false))])
    bench.special.append(
      (
        "ODD.xml",
        SpecialUseSample.file([Self.area(Self.square(" srsName=\"\(name)\"", latitudeFirst: false), "R-2")])
      ))
    let built = try bench.build()
    try built.expect("SELECT designator FROM airspaces", gives: ["R-1"])
    let dropped = built.problems(.rowDropped, of: SpecialUseDirectory.file)
    #expect(dropped.map(\.part) == ["ODD.xml"])
    #expect(dropped.first?.reason.contains("srsName \(name) is not supported") == true)
  }

  @Test func `a comma between numbers is an error`() throws {
    let shape = Self.square("", latitudeFirst: false).replacing("-40 53<", with: "-40,53<")
    let built = try AirspaceBench(special: [
      Self.area(shape), Self.area(Self.square("", latitudeFirst: false), "R-2"),
    ]).build()
    #expect(
      built.problems(.rowDropped, of: SpecialUseDirectory.file).map(\.reason) == [
        "a position has 2 numbers with spaces between them, and this has 1 number"
      ])
  }

  @Test(arguments: [" 7", " 7 8", " x"])
  func `rejects a position with the wrong number of coordinates`(extra: String) throws {
    let bench = try AirspaceBench(special: [
      Self.area(Self.square("", latitudeFirst: false, extra: extra)),
      Self.area(Self.square("", latitudeFirst: false), "R-2"),
    ])
    let built = try bench.build()
    try built.expect("SELECT designator FROM airspaces", gives: ["R-2"])
    let count = 2 + extra.split(separator: " ").count
    #expect(
      built.problems(.rowDropped, of: SpecialUseDirectory.file).map(\.reason) == [
        "a position has 2 numbers with spaces between them, and this has \(count) numbers"
      ])
  }

  @Test func `ignores the height in three dimensions`() throws {
    let bench = try AirspaceBench(special: [
      Self.area(Self.square(" srsDimension=\"3\"", latitudeFirst: false, extra: " 100"))
    ])
    #expect(try bench.build().rows("SELECT south, north, west, east FROM airspaces") == Self.box)
    var odd = try AirspaceBench(special: [Self.area(Self.square("", latitudeFirst: false))])
    let other = Self.area(Self.square(" srsDimension=\"4\"", latitudeFirst: false, extra: " 1 2"), "R-2")
    odd.special.append(("ODD.xml", SpecialUseSample.file([other])))
    let dropped = try odd.build().problems(.rowDropped, of: SpecialUseDirectory.file)
    #expect(dropped.first?.reason == "its srsDimension 4 is neither 2 nor 3")
  }

  @Test func `drops and counts a file without airspace`() throws {
    var bench = try AirspaceBench(special: [Self.area(Self.square("", latitudeFirst: false))])
    bench.special.append(("OTHER.xml", SpecialUseSample.file(["<aixm:Zone/>"])))
    let built = try bench.build()
    #expect(built.outcome.problems.tally(SpecialUseDirectory.file)?.droppedRows == 1)
    let dropped = built.problems(.rowDropped, of: SpecialUseDirectory.file)
    #expect(dropped.map(\.reason) == ["it contains no airspace"] && dropped.map(\.part) == ["OTHER.xml"])
    // With only such files, nothing is built.
    bench.special = [bench.special[1]]
    bench.subscription.definition.gates.droppedRowShare = 0.01
    #expect(try bench.fault().reason.contains("1 of 1 rows of Saa_Sub_File.zip cannot be used"))
  }

  @Test func `reports a repeated airspace and keeps one`() throws {
    let shape = Self.square("", latitudeFirst: false)
    var bench = try AirspaceBench(special: [Self.area(shape)])
    bench.special.append(("COPY, CA.xml", SpecialUseSample.file([Self.area(shape)])))
    let other = Self.square("", latitudeFirst: false).replacing("54", with: "55")
    bench.special.append(("OTHER, CA.xml", SpecialUseSample.file([Self.area(other)])))
    let built = try bench.build()
    try built.expect("SELECT north FROM airspaces ORDER BY 1", gives: ["54.0", "55.0"])
    #expect(built.problems(.rowRepeated, of: SpecialUseDirectory.file).map(\.value) == ["R-1"])
    #expect(
      built.problems(.contradiction, of: SpecialUseDirectory.file).map(\.reason) == [
        "another airspace of this designator and name has another shape"
      ])
    #expect(built.outcome.problems.droppedRows == 0)
  }
}
