internal import Core
internal import Foundation
internal import RasterIO

/// An airspace of the FAA's AIXM, with the values that the database has of it.
struct SpecialUseSource {
  /// The values of the columns of `airspaces`.
  var values: [String: AuditValue] = [:]
  let designator: String
  let name: String
  /// The rows of `airspaceTimes` and `airspaceFrequencies`, without their numbers.
  var times: [[AuditValue]] = []
  var frequencies: [[AuditValue]] = []
  let volumes: [SpecialUseVolume]
  /// What the volumes make together; nil if that depends on another file.
  var strata: [SpecialUseStratum]?
  let id: String
  var isInlined = false

  private static let states = DatabaseSchema.words(of: "state", in: "airspaces")

  init(_ feature: AIXMElement) {
    let slice = feature.first("AirspaceTimeSlice") ?? feature
    id = feature.attributes["id"] ?? ""
    designator = slice["designator"]?.text ?? ""
    name = slice["name"]?.text ?? designator
    volumes = slice.all("AirspaceGeometryComponent").map(SpecialUseVolume.init)
    let notes = slice.children.filter { $0.name == "annotation" }.flatMap { $0.all("note") }.compactMap(
      \.text)
    let state = slice.text("administrativeArea")
    values["class"] = .text(classification(slice.text("suaType")))
    values["type"] = .text(slice.text("suaType") ?? "")
    values["city"] = AuditValue(slice.text("city"))
    values["state"] = AuditValue(state.map { Self.states[$0.uppercased()] ?? $0 })
    values["remark"] = AuditValue(notes.isEmpty ? nil : notes.joined(separator: "\n"))
  }

  private func classification(_ type: String?) -> String {
    let words = [
      "MOA": "moa", "RA": "restricted", "WA": "warning", "AA": "alert", "PA": "prohibited",
      "NSA": "nationalSecurity",
    ]
    if let type, type != "OTHER" { return words[type] ?? "other" }
    let rest = designator.dropFirst().drop { $0 == "-" }
    if rest.first?.isNumber == true, let word = designator.first.flatMap({ words["\($0)A"] }) { return word }
    return name.hasSuffix("MOA") ? "moa" : "other"
  }

  /// The times in its notes, `Times of use. By NOTAM.`
  fileprivate var timesOfUse: AuditValue {
    guard case .text(let notes) = values["remark"] ?? .null,
      let start = notes.range(of: "times of use.", options: .caseInsensitive)
    else { return .null }
    let rest = notes[start.upperBound...]
    let ends = ["controlling agency", "using agency", "\n"].compactMap {
      rest.range(of: $0, options: .caseInsensitive)?.lowerBound
    }
    let words = rest[..<(ends.min() ?? rest.endIndex)].trimmingCharacters(in: .whitespacesAndNewlines)
    return AuditValue(words.isEmpty ? nil : words)
  }
}

/// A volume of an airspace.
struct SpecialUseVolume {
  let isCut: Bool
  let isBase: Bool
  let sequence: Int
  let floor: AuditLimit?
  let ceiling: AuditLimit?
  let minimum: AuditLimit?
  let maximum: AuditLimit?
  /// The airspace whose shape it uses.
  let reference: String?
  /// The surfaces: outer ring and holes, with corners every few degrees of an arc.
  let polygons: [[[AuditPoint]]]
  /// The same with each arc of more than half a circle the other way around: the FAA's data do not tell the two apart.
  let turned: [[[AuditPoint]]]
  /// How far the end of a line is from the arc that begins there, in metres.
  let misfit: Double

  init(_ component: AIXMElement) {
    let volume = component.first("AirspaceVolume") ?? component
    let operation = component["operation"]?.text ?? "BASE"
    (isCut, isBase) = (operation == "SUBTR", operation == "BASE")
    sequence = component["operationSequence"]?.text.flatMap(Int.init) ?? 0
    (floor, ceiling) = (Self.limit(volume, "lowerLimit"), Self.limit(volume, "upperLimit"))
    (minimum, maximum) = (Self.limit(volume, "minimumLimit"), Self.limit(volume, "maximumLimit"))
    let isLatitudeFirst = Self.isLatitudeFirst(volume)
    let patches = (volume["horizontalProjection"]?.all("PolygonPatch") ?? []).map {
      $0.all("exterior") + $0.all("interior")
    }
    let rings = patches.map { $0.map { SourceRing($0, isLatitudeFirst) } }
    polygons = rings.map { $0.map(\.corners.unwound) }
    turned = patches.map { $0.map { SourceRing($0, isLatitudeFirst, turnsLongArcs: true).corners.unwound } }
    misfit = rings.joined().map(\.misfit).max() ?? 0
    reference = volume.first("theAirspace")?.reference
  }

  private static func limit(_ volume: AIXMElement, _ name: String) -> AuditLimit? {
    guard let element = volume[name], let text = element.text?.uppercased() else { return nil }
    let unit = element.attributes["uom"]?.trimmingCharacters(in: .whitespaces).uppercased()
    switch text {
    case "GND", "SFC", "FLOOR": return AuditLimit(["0", "FT", "SFC"])
    case "UNL", "CEILING": return AuditLimit(["UNL", nil, nil])
    default: return AuditLimit([text, unit, volume[name + "Reference"]?.text])
    }
  }

  /// Whether a reference system has latitudes first, as EPSG's have.
  private static func isLatitudeFirst(_ element: AIXMElement) -> Bool {
    let name =
      element.attributes["srsName"] ?? element.children.lazy.compactMap { $0.first(having: "srsName") }.first
      ?? ""
    return name.hasSuffix("4326") || name.hasSuffix("4269")
  }
}

/// A ring of lines and arcs.
private struct SourceRing {
  private enum Part {
    case line([AuditPoint])
    /// Angles in degrees from east, anticlockwise.
    case arc(center: AuditPoint, metres: Double, from: Double, to: Double)
  }

  private var parts: [Part] = []
  private let isLatitudeFirst: Bool
  private(set) var corners: [AuditPoint] = []
  private(set) var misfit = 0.0

  init(_ element: AIXMElement, _ isLatitudeFirst: Bool, turnsLongArcs: Bool = false) {
    self.isLatitudeFirst = isLatitudeFirst
    collect(element)
    for index in parts.indices {
      let added = corners(of: index, turnsLongArcs)
      corners += added.corners
      misfit = max(misfit, added.misfit)
    }
  }

  private mutating func collect(_ element: AIXMElement) {
    if ["ArcByCenterPoint", "CircleByCenterPoint"].contains(element.name) {
      guard let place = (element.all("pos") + element.all("posList")).first, let center = points(place).first
      else { return }
      let units = [
        "NM": 1852, "[nmi_i]": 1852, "FT": 0.3048, "[ft_i]": 0.3048, "MI": 1609.344, "KM": 1000, "M": 1,
      ]
      let number = { (name: String) in element[name]?.text.flatMap(Double.init) }
      let unit = units[element["radius"]?.attributes["uom"] ?? "NM"] ?? 0
      parts.append(
        .arc(
          center: center, metres: (number("radius") ?? 0) * unit, from: number("startAngle") ?? 0,
          to: number("endAngle") ?? 360))
    } else if element.name == "pos" || element.name == "posList" {
      parts.append(.line(points(element)))
    } else {
      for child in element.children { collect(child) }
    }
  }

  private func points(_ element: AIXMElement) -> [AuditPoint] {
    let numbers = (element.text ?? "").split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    let dimension =
      element.attributes["srsDimension"] == "3" || (element.name == "pos" && numbers.count == 3) ? 3 : 2
    return stride(from: 0, to: numbers.count - 1, by: dimension).map { index in
      let (first, second) = (numbers[index], numbers[index + 1])
      return isLatitudeFirst
        ? AuditPoint(longitude: second, latitude: first) : AuditPoint(longitude: first, latitude: second)
    }
  }

  private func corners(of index: Int, _ turnsLongArcs: Bool) -> (corners: [AuditPoint], misfit: Double) {
    switch parts[index] {
    case .line(let points): return (points, 0)
    case .arc(let center, let metres, let from, let to):
      let (before, after) = (
        parts[(index + parts.count - 1) % parts.count], parts[(index + 1) % parts.count]
      )
      let start = if case .line(let points) = before { points.last } else { AuditPoint?.none }
      let end = if case .line(let points) = after { points.first } else { AuditPoint?.none }
      let turn = turnsLongArcs && abs(to - from) > 180 ? (to < from ? 360.0 : -360) : 0
      let arc = Self.arc(center, metres, from, to + turn, start: start, end: end)
      let gaps = zip([start, end], [arc[0], arc[arc.count - 1]]).map { corner, place in
        corner.map { AuditShape.distance($0, from: place, to: place) } ?? 0
      }
      return (arc, max(gaps[0], gaps[1]))
    }
  }

  /// The corners of an arc. The ends of the lines beside it are more exact than its angles, which state the way around.
  private static func arc(
    _ center: AuditPoint, _ metres: Double, _ from: Double, _ to: Double, start: AuditPoint?,
    end: AuditPoint?
  ) -> [AuditPoint] {
    let middle = center.degrees
    let angle = { (point: AuditPoint) in
      let (east, north) = (Double(point.x - center.x), Double(point.y - center.y))
      return atan2(north, east * cos(Double(center.y + point.y) / 2e6 * .pi / 180)) * 180 / .pi
    }
    let first = start.map(angle) ?? from
    var sweep = ((end.map(angle) ?? to) - first).truncatingRemainder(dividingBy: 360)
    let stated = to - from
    if start == nil, end == nil { sweep = stated }
    sweep =
      [sweep, sweep + 360, sweep - 360].min { abs(abs($0) - abs(stated)) < abs(abs($1) - abs(stated)) } ?? 0
    if abs(abs(sweep) - 180) < 1 { sweep = stated < 0 ? -abs(sweep) : abs(sweep) }
    let count = max(1, Int(abs(sweep).rounded(.up)))
    return (0...count).map { index in
      let place = Geodesic.point(
        latitude: middle.latitude, azimuth: 90 - first - sweep * Double(index) / Double(count), metres: metres
      )
      return AuditPoint(longitude: place.longitude + middle.longitude, latitude: place.latitude)
    }
  }
}

extension AuditPoint {
  fileprivate var degrees: GeoPoint { GeoPoint(longitude: Double(x) / 1e6, latitude: Double(y) / 1e6) }
}

extension AIXMElement {
  /// The first value of an attribute below it.
  fileprivate func first(having attribute: String) -> String? {
    attributes[attribute] ?? children.lazy.compactMap { $0.first(having: attribute) }.first
  }
}

extension SpecialUseSource {
  /// The airspaces of a file.
  static func all(in root: AIXMElement) -> [SpecialUseSource] {
    var areas = root.all("Airspace").map(SpecialUseSource.init)
    let referenced = Set(areas.flatMap(\.volumes).compactMap(\.reference))
    let usages = root.all("AirspaceUsage").map(SpecialUseUsage.init)
    let (controlling, using) = agencies(root)
    let radios = SpecialUseRadios(root)
    let byID = Dictionary(first: areas.map { ($0.id, $0) })
    for index in areas.indices {
      let id = areas[index].id
      areas[index].isInlined = areas.count > 1 && referenced.contains(id)
      areas[index].strata = try? SpecialUseStratum.all(of: areas[index], among: byID)
      let own = usages.filter { $0.areas.isEmpty || $0.areas.contains(id) }
      areas[index].values["agency"] = AuditValue(controlling)
      areas[index].values["usingAgency"] = AuditValue(using)
      areas[index].values["activity"] = AuditValue(own.lazy.compactMap(\.activity).first)
      areas[index].times = own.flatMap(\.times)
      let hours = own.compactMap(\.text)
      areas[index].values["hours"] =
        hours.isEmpty ? areas[index].timesOfUse : .text(hours.joined(separator: "; "))
      areas[index].frequencies = radios.rows(of: id)
    }
    return areas
  }

  private static func agencies(_ root: AIXMElement) -> (controlling: String?, using: String?) {
    var units: [String: (name: String, type: String)] = [:]
    for unit in root.all("Unit") {
      guard let name = unit.text("name") ?? unit.text("designator") else { continue }
      units[unit.attributes["id"] ?? ""] = (name, unit.text("type") ?? "")
    }
    let named = root.all("AirTrafficControlService").compactMap { $0.first("serviceProvider")?.reference }
    let sorted = units.sorted { $0.key < $1.key }.map(\.value)
    let controlling = named.lazy.compactMap { units[$0] }.first ?? sorted.first { $0.type == "ARTCC" }
    return (controlling?.name, sorted.first { $0.type == "MILOPS" }?.name)
  }
}

/// When and for what an airspace is used.
private struct SpecialUseUsage {
  let areas: [String]
  let activity: String?
  let times: [[AuditValue]]
  /// `MON-FRI 0700-2200; by NOTAM`
  let text: String?

  init(_ feature: AIXMElement) {
    areas = ["associatedAirspace", "restrictedAirspace", "theAirspace"].flatMap(feature.all).compactMap(
      \.reference)
    activity = feature.text("activity")
    let daylight = feature.text("daylightSavings").flatMap {
      ["YES": true, "Y": true, "NO": false, "N": false][$0]
    }
    let sheets = feature.all("Timesheet")
    times = sheets.map { Self.row($0, daylight) }
    let rules = [
      "CONT": "continuous", "NOTAM": "by NOTAM", "H24": "continuous", "INTERMITTENT": "intermittent",
    ]
    let rule = feature.text("workingHours").flatMap { $0 == "TIMSH" ? nil : rules[$0] ?? $0 }
    let parts = times.map(Self.words).filter { !$0.isEmpty } + [rule].compactMap(\.self)
    text = parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// One line for the columns of `airspaceTimes`.
  private static func words(_ row: [AuditValue]) -> String {
    let texts = row.map { if case .text(let text) = $0 { text } else { String?.none } }
    let numbers = row.map { if case .number(let number) = $0 { number } else { Double?.none } }
    func join(_ places: [Int], _ separator: String) -> String {
      places.compactMap { texts[$0] }.joined(separator: separator)
    }
    func moment(_ clock: Int, _ event: Int) -> String? {
      guard let word = texts[event] else { return texts[clock] }
      guard let minutes = numbers[event + 1], minutes != 0 else { return word }
      return "\(Int(abs(minutes))) min \(minutes < 0 ? "before" : "after") \(word)"
    }
    let (days, dates) = (join([0, 1], "-"), join([11, 12], " to "))
    let times = [moment(2, 4), moment(3, 6)].compactMap(\.self).joined(separator: "-")
    var zone = texts[8] == "UTC" ? "UTC" : ""
    if let offset = numbers[9], offset != 0 {
      zone = "UTC\(offset > 0 ? "+" : "")\(offset == offset.rounded() ? "\(Int(offset))" : "\(offset)")"
      if numbers[10] == 1 { zone += " with daylight saving" }
    }
    return [dates, days, times, times.isEmpty ? "" : zone].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// In the order of the columns of `airspaceTimes`.
  private static func row(_ sheet: AIXMElement, _ daylight: Bool?) -> [AuditValue] {
    let text = { (name: String) in sheet[name]?.text }
    let clock = { (name: String) in AuditValue(text(name)?.replacing(":", with: "")) }
    let event = { (name: String) in
      AuditValue(text(name).map { ["SR": "sunrise", "SS": "sunset"][$0] ?? $0.lowercased() })
    }
    let minutes = { (name: String) in AuditValue(text(name).flatMap(Double.init).flatMap(Int.init(exactly:)))
    }
    return [
      AuditValue(text("day")), AuditValue(text("dayTil")), clock("startTime"), clock("endTime"),
      event("startEvent"),
      minutes("startTimeRelativeEvent"), event("endEvent"), minutes("endTimeRelativeEvent"),
      AuditValue(text("timeReference")),
      AuditValue(sheet.text("timeOffset").flatMap(Double.init).flatMap { abs($0) <= 14 ? $0 : nil }),
      AuditValue(daylight), AuditValue(text("startDate")), AuditValue(text("endDate")),
    ]
  }
}

/// The frequencies of a file, and their allocations to airspaces.
private struct SpecialUseRadios {
  private var channels: [(id: String, values: [AuditValue])] = []
  private var allocations: [(area: String, channel: String, values: [AuditValue])] = []

  init(_ root: AIXMElement) {
    for channel in root.all("RadioCommunicationChannel") {
      let radios = ["frequencyTransmission", "frequencyReception"].map { name in
        channel.text(name).flatMap(Double.init).flatMap { (1...1000).contains($0) ? $0 : nil }
      }
      guard radios.contains(where: { $0 != nil }) else { continue }
      channels.append(
        (channel.attributes["id"] ?? "", radios.map(AuditValue.init) + [AuditValue(channel.text("mode"))]))
    }
    for allocation in root.all("RadioCommunicationChannelAllocation") {
      guard let area = allocation["associatedAirspace"]?.reference else { continue }
      for entry in allocation.all("SaaRadioCommunicationChannel") {
        guard let channel = entry["associatedChannel"]?.reference else { continue }
        let traffic = entry["communicationAllowed"]?.text
        let word = traffic.map { ["CIVIL": "civil", "MIL": "military", "ALL": "all"][$0] ?? $0.lowercased() }
        let charted = entry["charted"]?.text.flatMap { ["YES": true, "NO": false][$0] }
        allocations.append(
          (area, channel, [AuditValue(word), AuditValue(charted), AuditValue(entry["sectors"]?.text)]))
      }
    }
  }

  /// In the order of the columns of `airspaceFrequencies`. Frequencies without an allocation are those of all airspaces.
  func rows(of area: String) -> [[AuditValue]] {
    let own = allocations.filter { $0.area == area }.compactMap { allocation in
      channels.first { $0.id == allocation.channel }.map { $0.values + allocation.values }
    }
    let named = Set(allocations.map(\.channel))
    let all =
      own.isEmpty
      ? channels.filter { !named.contains($0.id) }.map { $0.values + [.null, .null, .null] } : own
    var seen: Set<[UInt64]> = []
    return all.filter { seen.insert($0.map(\.hash)).inserted }
  }
}
