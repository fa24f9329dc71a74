import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// The FAA's file about a TFR: identity, dates, limits and words.
@Suite struct TFRDetailTests {
  private let newest: Instant

  init() throws { newest = try instant("2026-10-03T12:00:00Z") }

  private func real(_ number: String) throws -> TFRDetail {
    let file = fixtureFolder.appending(path: "tfr/detail_\(number.replacing("/", with: "_")).xml")
    return try TFRDetail(file.data, of: #require(TFRNumber(number)))
  }

  @Test func `reads the real file about a fire`() throws {
    let detail = try real("6/6654")
    #expect(
      detail["NotUid", "dateIndexYear"] == "2026"
        && detail["NotUid", "codeGUID"] == "7b48216a-c65d-4aef-b97d-75423eeaf472")
    #expect(
      detail.rule == "91.137(a)(2)" && detail["codeFacility"] == "ZSE"
        && detail.places == ["28NM W TWISP, WASHINGTON"])
    #expect(detail.from == Instant("2026-10-01T16:00:00Z") && detail.until == Instant("2026-10-15T02:00:00Z"))
    #expect(detail.areas.count == 1)
    let area = detail.areas[0]
    #expect(area.floor == .surface && area.ceiling?.text == "10000 ft MSL" && area.includesCeiling)
    #expect(area.periods.map(\.hours) == ["daily 1600-0200 UTC"])
  }

  @Test func `reads the real test of a restriction for drones`() throws {
    let list = Data(MadeTFR.list([("6/4045", "202604180208")], type: "SECURITY").utf8)
    let file = try fixtureFolder.appending(path: "tfr/detail_6_4045.xml").data
    let directory = try TFRDirectory(["getTfrList.json": list, "detail_6_4045.xml": file])
    let notice = try #require(directory.notices.first)
    #expect(notice.isTest && notice.isForDronesOnly && notice.kind == "security")
    #expect(notice.areas[0].ceiling?.text == "400 ft AGL" && notice.areas[0].limits == [0, 99_999])
    // The start is only in the text of the NOTAM.
    #expect(
      notice.areas[0].periods == [
        TFRPeriod(from: Instant("2026-04-18T02:00:00Z"), until: Instant("2026-04-18T09:00:00Z"))
      ])
    #expect(notice.forApp(around: newest).isEmpty && notice.doubts == [])
  }

  @Test func `missing dates come from the end of the NOTAM`() throws {
    func dates(_ xml: String, _ text: String) throws -> [String?] {
      let detail = try MadeTFR(dates: xml, text: text).detail()
      return [detail.from?.description, detail.until?.description]
    }
    #expect(
      try dates("", "DLY 1600-0200 2610011600-2610150200") == [
        "2026-10-01T16:00:00Z", "2026-10-15T02:00:00Z",
      ])
    #expect(try dates("", "TEL 253-351-3698. 2608141107-PERM END PART 1") == ["2026-08-14T11:07:00Z", nil])
    #expect(try dates("", "UNTIL FURTHER NOTICE") == [nil, nil])
    #expect(
      try dates("<dateExpire>2026-10-15T02:00:00</dateExpire>", "2699991600-2610150200") == [
        nil, "2026-10-15T02:00:00Z",
      ])
  }

  @Test func `no date means from now on and until further notice`() throws {
    let spans = TFRPeriod().spans(around: newest, immediately: try instant("2026-10-01T15:51:27Z"))
    #expect(
      spans == [.init(from: try instant("2026-10-01T15:51:27Z"), until: try instant("2099-12-31T23:59:59Z"))])
  }

  @Test(
    arguments: [
      (("ALT", "430", "FL"), "FL430", 43_000), (("STD", "180", "FL"), "FL180", 18_000),
      (("ALT", "17999", "FT"), "17999 ft MSL", 17_999), (("ALT", "99999", "FT"), "UNL", 99_999),
      (("HEI", "2000", "FT"), "2000 ft AGL", 99_999), (("ALT", "999", "FL"), "UNL", 99_999),
      (("ALT", "1e308", "FT"), nil, 99_999), (("W84", "3000", "FT"), nil, 99_999),
      (("ALT", "", "FT"), nil, 99_999),
      (("ALT", "0", "FT"), "SFC", 99_999), (("ALT", "nan", "FT"), nil, 99_999),
    ] as [((String, String, String), String?, Int)])
  func `ceilings are read by their unit`(limit: (String, String, String), text: String?, feet: Int) throws {
    let area = try #require(try MadeTFR(areas: [.init(ceiling: limit)]).notice().areas.first)
    #expect(area.ceiling?.text == text && area.limits == [0, feet], "\(area.feet)")
  }

  @Test func `heights above ground are added to the ground, cautiously`() throws {
    let folder = TemporaryFolder()
    try folder.file("ground.asc").put(
      "ncols 4\nnrows 4\nxllcorner -102\nyllcorner 38\ncellsize 1\nNODATA_value -9999\n"
        + String(repeating: "100 300 300 500\n", count: 4))
    try folder.file("ground.prj").put(
      #"GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]"#
    )
    let terrain = try Terrain(folder.file("ground.asc"))
    let made = MadeTFR(areas: [.init(floor: ("HEI", "500", "FT"), ceiling: ("HEI", "2000", "FT"))])
    let known = try #require(try made.notice(terrain: terrain).areas.first)
    #expect(known.ground == 328...1641 && known.limits == [828, 3641] && known.feet.areKnown)
    let unknown = try #require(try made.notice().areas.first)
    #expect(unknown.limits == [0, 99_999] && !unknown.feet.areKnown)
    let far = MadeTFR(areas: [.init(floor: ("HEI", "500", "FT"), recipe: [("BASE", [circle(60, -150, 5)])])])
    #expect(try far.notice(terrain: terrain).areas.first?.limits == [0, 10_000])
  }

  @Test(arguments: [
    ("HAZARDS", "91.137(a)(2)", "", "hazard"), ("VIP", "91.141", "", "vip"),
    ("SECURITY", "99.7", "", "security"),
    ("AIR SHOWS/SPORTS", "91.145", "", "airshow"), ("SPACE OPERATIONS", "91.143", "", "hazard"),
    ("SECURITY", "99.7", "SPORTING EVENT IN A STADIUM", "stadium"), ("SPECIAL", "99.7", "", "security"),
    ("SPECIAL", "", "", "other"), ("", "91.141", "", "vip"),
  ])
  func `types are in the app's words`(type: String, rule: String, text: String, kind: String) throws {
    #expect(try MadeTFR(rule: rule, text: text).notice(type: type).kind == kind)
  }

  @Test(arguments: [
    ("SECURITY", "99.7", "ALL UNMANNED\nACFT SYSTEM (UAS) FLT OPS ARE PROHIBITED WI AN AREA", true),
    ("UAS PUBLIC GATHERING", "99.7", "", true), ("SPECIAL", "44812", "", true),
    (
      "SECURITY", "99.7",
      "ALL AIRCRAFT FLIGHT OPERATIONS ARE PROHIBITED. ALL UNMANNED AIRCRAFT SYSTEMS (UAS) FLIGHT OPERATIONS TOO",
      false
    ),
    (
      "SECURITY", "99.7",
      "ALL AIRCRAFT OPERATIONS; INCLUDING PARACHUTE JUMPING, UNMANNED AIRCRAFT AND REMOTE CONTROLLED AIRCRAFT, ARE PROHIBITED",
      false
    ),
    ("VIP", "91.141", "ALL UNMANNED ACFT SYSTEM (UAS) FLT OPS ARE PROHIBITED", false),
    (
      "SECURITY", "99.7",
      "NO PILOTS MAY OPERATE AN ACFT IN THE AREAS COVERED BY THIS NOTAM. NO UNMANNED ACFT SYSTEM OPS", false
    ),
    ("SECURITY", "99.7", "PURSUANT TO 14 CFR 99.7", false),
    ("UAS PUBLIC GATHERING", "99.7", "ALL ACFT FLT OPS ARE PROHIBITED", false),
    (
      "SECURITY", "99.7",
      "PILOTS WHO DO NOT ADHERE TO THE FOLLOWING PROC MAY BE INTERCEPTED. DEADLY FORCE AGAINST THE AIRBORNE ACFT, IF IT IS DETERMINED THAT THE ACFT POSES A THREAT. ALL UNMANNED AIRCRAFT SYSTEMS (UAS) FLIGHT OPERATIONS ARE PROHIBITED",
      true
    ),
    (
      "SECURITY", "99.7",
      "ALL UNMANNED ACFT SYSTEM (UAS) FLT OPS ARE PROHIBITED. NO PERSON MAY OPERATE AN AIRCRAFT", false
    ),
    (
      "SECURITY", "99.7",
      "ALL UNMANNED ACFT SYSTEM (UAS) FLT OPS ARE PROHIBITED. FLT OPS UNDER 14 CFR PART 91 ARE PROHIBITED",
      false
    ),
    ("SECURITY", "99.7", "ALL MANNED AND UNMANNED AIRCRAFT SYSTEMS OPERATIONS ARE PROHIBITED", false),
    ("SECURITY", "99.7", "ALL UAS OPS ARE PROHIBITED. VFR FLT IS PROHIBITED", false),
  ])
  func `only a restriction for drones alone is left out`(
    type: String, rule: String, text: String, isForDrones: Bool
  ) throws {
    #expect(try MadeTFR(rule: rule, text: text).notice(type: type).isForDronesOnly == isForDrones)
  }

  @Test func `a detail from before the last change is used and marked`() throws {
    #expect(try MadeTFR().notice(modified: "202610011551").doubts == [])
    var ended = MadeTFR()
    ended.dates =
      "<dateEffective>2026-10-01T16:00:00</dateEffective><dateExpire>2026-10-02T02:00:00</dateExpire>"
    let notice = try ended.notice(modified: "202610031200")
    #expect(notice.doubts == [.olderDetail])
    let spans = notice.spans(of: try #require(notice.areas.first), around: "2026-10-03T12:00:00Z").map(\.span)
    #expect(
      spans.contains { $0.from < "2026-10-03T12:00:00Z" && $0.until > "2026-12-01T00:00:00Z" },
      "it may have been extended")
  }

  @Test func `the areas of all parts of a document count`() throws {
    let xml = MadeTFR().xml
    let part = try #require(xml.firstMatch(of: /<TfrNot>.*<\/TfrNot>/)?.0)
    let second = part.replacing("<geoLat>40.0N</geoLat>", with: "<geoLat>45.0N</geoLat>")
    let text = xml.replacing("</TfrNot>", with: "</TfrNot>" + second)
    let detail = try TFRDetail(Data(text.utf8), of: #require(TFRNumber("6/1234")))
    #expect(detail.areas.map(\.number) == [1, 2])
  }

  @Test func `a limit without a unit is not known`() throws {
    let limits = try MadeTFR(areas: [.init(floor: ("ALT", "10", ""), ceiling: ("ALT", "180", ""))]).notice()
    #expect(limits.areas.first?.limits == [0, 99_999])
  }

  @Test func `refuses what is not a whole file about the TFR`() throws {
    let xml = MadeTFR().xml
    let deep = String(repeating: "<a>", count: 500) + String(repeating: "</a>", count: 500)
    for (text, reason) in [
      (String(xml.dropLast(40)), "damaged"), ("", "no XML"), ("[]", "no XML"),
      ("<!DOCTYPE html><html></html>", "document type"), ("<html><body/></html>", "no XNOTAM"),
      ("<!DOCTYPE x [<!ENTITY a \"b\">]>" + xml, "document type"),
      (xml.replacing("1234", with: "1235"), "not about 6/1234 but 6/1235"),
      (xml.replacing("<TfrNot>", with: deep + "<TfrNot>"), "nested too deep"),
      ("<XNOTAM-Update><Group/></XNOTAM-Update>", "no NOTAM"),
    ] {
      let defect = #expect(throws: (any Error).self) {
        try TFRDetail(Data(text.utf8), of: #require(TFRNumber("6/1234")))
      }
      #expect(defect.map { "\($0)".contains(reason) } == true, "\(defect.map { "\($0)" } ?? "")")
    }
  }

  @Test func `huge numbers and odd values do not trap`() throws {
    var made = MadeTFR(issued: "9999-99-99T99:99:99", dates: "<dateExpire>0000-01-01T00:00:00</dateExpire>")
    made.areas = [
      .init(
        floor: ("HEI", "-1e300", "KM"), ceiling: ("ALT", "99999999999999999999", "FT"),
        schedule:
          "<isScheduledTfrArea>TRUE</isScheduledTfrArea><dayCode>ß</dayCode><ScheduleGroup><isTimeSeparate>TRUE</isTimeSeparate><startTime>T</startTime><endTime>2026-10-01T99:00:00</endTime></ScheduleGroup>",
        recipe: [("BASE", [circle(40, -100, 0.0000001)])])
    ]
    let notice = try made.notice()
    #expect(notice.areas[0].limits == [0, 99_999] && notice.areas[0].shape == nil)
    #expect(notice.areas[0].periods[0].clock == nil)
    let spans = notice.areas[0].periods[0].spans(around: newest, immediately: notice.immediately)
    #expect(spans.map(\.until) == [TFRPeriod.farFuture], "an end before the start is none")
  }
}

extension TFRArea {
  fileprivate var limits: [Int] { [feet.floor, feet.ceiling] }
}
