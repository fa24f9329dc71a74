import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// The FAA's file about a TFR, made up for a test.
struct MadeTFR {
  struct Area {
    var floor = ("ALT", "0", "FT")
    var ceiling = ("ALT", "10000", "FT")
    /// `ScheduleGroup` and what is beside it.
    var schedule = ""
    /// The operations of the recipe with the corners of their parts.
    var recipe: [(operation: String, corners: [String])] = [("BASE", [circle(40, -100, 5)])]
    var merged: [String] = []

    fileprivate var xml: String {
      func limit(_ side: String, _ value: (String, String, String)) -> String {
        "<codeDistVer\(side)>\(value.0)</codeDistVer\(side)><valDistVer\(side)>\(value.1)</valDistVer\(side)><uomDistVer\(side)>\(value.2)</uomDistVer\(side)>"
      }
      let steps = recipe.enumerated().map { number, step in
        "<Aac><AacUid><AseUidPar><codeId>\(number)</codeId></AseUidPar></AacUid><codeOpr>\(step.operation)</codeOpr></Aac>"
      }
      let shapes = recipe.enumerated().map { number, step in
        "<aseShapes><AseUid><codeId>\(number)</codeId></AseUid><Abd>\(step.corners.joined())</Abd></aseShapes>"
      }
      let whole = merged.isEmpty ? "" : "<abdMergedArea>\(merged.joined())</abdMergedArea>"
      return
        "<TFRAreaGroup><aseTFRArea><txtName>Area A</txtName>\(limit("Upper", ceiling))\(limit("Lower", floor))\(schedule)</aseTFRArea>\(steps.joined())\(whole)\(shapes.joined())</TFRAreaGroup>"
    }
  }

  var number = "6/1234"
  var issued = "2026-10-01T15:51:27"
  var rule = "91.137(a)(2)"
  var template = "BigThreatLanguage"
  var localName = "6/1234"
  var dates = "<dateEffective>2026-10-01T16:00:00</dateEffective><dateExpire>2026-10-15T02:00:00</dateExpire>"
  var text = "TEMPORARY FLIGHT RESTRICTIONS."
  var areas = [Area()]

  var xml: String {
    let parts = number.split(separator: "/")
    return """
      \u{FEFF}<XNOTAM-Update created="2026-10-01T10:57:15"><Group><Add><Not>
      <NotUid><txtNameAcctFac>FDC</txtNameAcctFac><dateIndexYear>202\(parts[0])</dateIndexYear><noSeqNo>\(parts[1])</noSeqNo>
      <dateIssued>\(issued)</dateIssued><txtLocalName>\(localName)</txtLocalName><codeGUID>made-up</codeGUID></NotUid>
      \(dates)<txtDescrPurpose>A TEST OF THE PROGRAM</txtDescrPurpose>
      <AffLocGroup><txtNameCity>NOWHERE</txtNameCity><txtNameUSState>KANSAS</txtNameUSState></AffLocGroup><codeFacility>ZKC</codeFacility>
      <TfrNot><codeType>\(rule)</codeType>\(areas.map(\.xml).joined())<TemplateType>\(template)</TemplateType></TfrNot>
      <txtDescrUSNS>\(text)</txtDescrUSNS></Not></Add></Group></XNOTAM-Update>
      """
  }

  func detail() throws -> TFRDetail { try TFRDetail(Data(xml.utf8), of: #require(TFRNumber(number))) }

  /// The area in a directory of this TFR alone.
  func notice(
    type: String = "HAZARDS", modified: String = "202610011551", terrain: Terrain? = nil
  ) throws -> TFRNotice {
    let list = Data(Self.list([(number, modified)], type: type).utf8)
    let name = try #require(TFRNumber(number)).detailName
    let directory = try TFRDirectory(["getTfrList.json": list, name: Data(xml.utf8)], terrain: terrain)
    return try #require(directory.notices.first)
  }

  static func list(_ entries: [(number: String, modified: String)], type: String = "HAZARDS") -> String {
    let objects = entries.map {
      """
      {"notam_id": "\($0.number)", "facility": "ZKC", "state": "KS", "type": "\(type)", "description": "Nowhere, KS",
       "mod_abs_time": "\($0.modified)", "is_new": "N"}
      """
    }
    return "[\(objects.joined(separator: ",\n"))]"
  }

  static func features(_ entries: [(key: String, polygon: String?)], matched: Int? = nil) -> String {
    let objects = entries.map { key, polygon in
      """
      {"type": "Feature", "id": "V_TFR_LOC.\(key)", "geometry": \(polygon.map { #"{"type": "Polygon", "coordinates": [\#($0)]}"# } ?? "null"),
       "properties": {"GID": 231054, "CNS_LOCATION_ID": "ZKC", "NOTAM_KEY": "\(key)", "TITLE": "Nowhere, KS", "STATE": "KS", "LEGAL": "HAZARDS"}}
      """
    }
    return """
      {"type": "FeatureCollection", "features": [\(objects.joined(separator: ","))], "totalFeatures": \(matched ?? entries.count),
       "numberMatched": \(matched ?? entries.count), "numberReturned": \(entries.count), "timeStamp": "2026-10-01T16:00:00Z"}
      """
  }
}

/// A corner of the FAA's format.
func corner(
  _ type: String, _ latitude: Double, _ longitude: Double, arc: (Double, Double)? = nil, radius: Double? = nil
) -> String {
  func place(_ latitude: Double, _ longitude: Double, _ end: String) -> String {
    let north = "\(abs(latitude))\(latitude < 0 ? "S" : "N")"
    let east = "\(abs(longitude))\(longitude < 0 ? "W" : "E")"
    return "<geoLat\(end)>\(north)</geoLat\(end)><geoLong\(end)>\(east)</geoLong\(end)>"
  }
  let size = radius.map { "<valRadiusArc>\($0)</valRadiusArc><uomRadiusArc>NM</uomRadiusArc>" } ?? ""
  return
    "<Avx><codeType>\(type)</codeType>\(place(latitude, longitude, ""))\(arc.map { place($0.0, $0.1, "Arc") } ?? "")\(size)<Frd><VorUid><geoLat>1.0N</geoLat><geoLong>1.0E</geoLong></VorUid></Frd></Avx>"
}

func circle(_ latitude: Double, _ longitude: Double, _ radius: Double) -> String {
  corner("CIR", latitude, longitude, radius: radius)
}

func lines(_ corners: [(Double, Double)]) -> [String] { corners.map { corner("GRC", $0.0, $0.1) } }

func instant(_ text: String) throws -> Instant { try #require(Instant(text)) }
