internal import Core
internal import Foundation
internal import HTTPIO

/// The number of the NOTAM of a TFR (temporary flight restriction): `6/6654`, the last digit of the year and a number.
struct TFRNumber: Hashable, Comparable, Sendable {
  let text: String

  /// Reads also `6/6654-1-FDC-F`, the key of one of its areas.
  init?(_ text: String) {
    guard let match = text.wholeMatch(of: /(?:FDC )?([0-9]{1,2}\/[0-9]{3,6})(?:-.*)?/) else { return nil }
    self.text = String(match.1)
  }

  /// The name of the FAA's file about it.
  var detailName: String { TFRSource.detailStart + text.replacing("/", with: "_") + ".xml" }

  static func < (left: TFRNumber, right: TFRNumber) -> Bool { left.text < right.text }
}

/// The names of the source files.
enum TFRSource {
  static let list = "getTfrList.json"
  static let noShapes = "noShapeTfrList.json"
  static let features = "V_TFR_LOC.json"
  static let detailStart = "detail_"
}

/// What a list says about a TFR. Values that are missing in the list are nil.
struct TFREntry {
  let number: TFRNumber
  private let fields: TextFields

  fileprivate init?(_ fields: TextFields) {
    let keys = ["notam_id", "notam_key", "gid"].compactMap { fields[$0] }
    guard let number = keys.lazy.compactMap({ TFRNumber($0.uppercased()) }).first else { return nil }
    (self.number, self.fields) = (number, fields)
  }

  /// `HAZARDS`
  var type: String? { (fields["type"] ?? fields["legal"])?.uppercased() }
  var facility: String? { fields["facility"] ?? fields["cns_location_id"] }
  var state: String? { fields["state"] }
  var title: String? { fields["description"] ?? fields["title"] }
  var modified: Instant? { fields["mod_abs_time"].flatMap { Instant(digits: $0) } }
}

/// A list of TFRs: `getTfrList` or `noShapeTfrList`.
struct TFRList {
  let entries: [TFREntry]
  /// How many entries have no NOTAM number that can be read.
  let bad: Int

  init(_ data: Data) throws {
    let rows = try data.plainJSON([TextFields].self)
    entries = rows.compactMap(TFREntry.init)
    bad = rows.count - entries.count
  }

  var newest: Instant? { entries.compactMap(\.modified).max() }

  /// Throws for a list that is empty, too short, or older than the one before.
  ///
  /// - Parameter maxLoss: the share of its entries that the list may have lost.
  func check(after before: TFRList?, maxLoss: Double, now: Instant) throws {
    guard let newest else { throw unusable("it has no TFR with a time, and there are always permanent ones") }
    guard newest < now.adding(86_400) else {
      throw unusable("its newest change, \(newest), is in the future")
    }
    guard let before else { return }
    let numbers = Set(entries.map(\.number))
    let (count, last) = (numbers.count, Set(before.entries.map(\.number)).count)
    guard Double(count) >= Double(last) * (1 - maxLoss) else {
      throw unusable("it has \(Counts.of(count, "TFR")), and the list before had \(last)")
    }
    let gone = before.entries.filter { !numbers.contains($0.number) }.compactMap(\.modified)
    if gone.count > 1, let first = gone.min(), newest < first {
      throw unusable("it is an older list: it lacks the \(gone.count) newest TFRs of the one before")
    }
    let earlier = before.entries.reduce(into: [:]) { $0[$1.number] = $1.modified }
    let older = entries.first { entry in
      guard let new = entry.modified, let old = earlier[entry.number] else { return false }
      return new < old
    }
    // An entry may be set back for good; an old file has nothing new besides.
    if let older, newest <= before.newest ?? newest {
      throw unusable("it is an older list: \(older.number.text) was changed later in the one before")
    }
  }
}

/// The polygons of TFRs by the FAA's map server, one or more for a NOTAM.
struct TFRFeatures: Decodable {
  private struct Feature: Decodable {
    let properties: TextFields
    let geometry: GeoJSONPolygons?
  }

  private enum CodingKeys: CodingKey { case features }

  private let features: [Feature]
  /// How many there are by the server's count.
  private let whole: Int

  /// Throws for an answer without all features, and for one in another reference system.
  init(_ data: Data) throws {
    self = try data.plainJSON(TFRFeatures.self)
    guard features.count == whole, whole > 0 else {
      throw unusable("it has \(features.count) of \(whole) features")
    }
    let positions = notices.lazy.flatMap { $0.polygons.joined().joined() }
    guard positions.allSatisfy({ $0.count >= 2 && abs($0[0]) <= 180 && abs($0[1]) <= 90 }) else {
      throw unusable("its positions are not in degrees")
    }
  }

  init(from decoder: any Decoder) throws {
    features = try decoder.container(keyedBy: CodingKeys.self).decode([Feature].self, forKey: .features)
    let fields = try TextFields(from: decoder)
    let counts = ["numberreturned", "numbermatched", "totalfeatures"].compactMap { Int(fields[$0] ?? "") }
    whole = counts.max() ?? features.count
  }

  /// What it says of each NOTAM, with the rings of its polygons.
  var notices: [(entry: TFREntry, polygons: [[[[Double]]]])] {
    features.compactMap { feature in
      TFREntry(feature.properties).map { ($0, feature.geometry?.polygons ?? []) }
    }
  }
}

/// The members of a JSON object that are texts or whole numbers, by their names in lower case.
private struct TextFields: Decodable {
  private var texts: [String: String] = [:]

  init(from decoder: any Decoder) throws {
    guard let container = try? decoder.container(keyedBy: WrittenKey.self) else { return }
    for key in container.allKeys {
      let number = (try? container.decode(Int.self, forKey: key)).map(String.init)
      texts[key.stringValue.lowercased()] =
        ((try? container.decode(String.self, forKey: key)) ?? number)?.trimmed
    }
  }

  subscript(name: String) -> String? { texts[name].flatMap { $0.isEmpty ? nil : $0 } }
}

/// The error of a file that is not accepted.
func unusable(_ reason: String) -> HTTPError { HTTPError(.unusable, reason) }

extension Data {
  /// Decodes JSON that all parsers read alike.
  fileprivate func plainJSON<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let flaw = JSONText(self, .json).flaw { throw unusable("it is not JSON: \(flaw)") }
    do { return try JSONDecoder().decode(type, from: self) } catch {
      throw unusable("it is another JSON document")
    }
  }
}

extension Instant {
  /// Reads `202610011551`, or the same in ten digits without the century.
  init?(digits text: some StringProtocol) {
    guard let parts = String(text).wholeMatch(of: /(?:20)?(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/),
      let time = Instant("20\(parts.1)-\(parts.2)-\(parts.3)T\(parts.4):\(parts.5)Z")
    else { return nil }
    self = time
  }

  /// Reads a time of the FAA, which is in UTC also without a zone: `2026-10-01T16:00:00`.
  init?(faa text: String) {
    guard let time = Instant(text + "Z") ?? Instant(text) else { return nil }
    self = time
  }
}
