internal import Core
internal import Foundation

/// The number of the NOTAM of a TFR (temporary flight restriction): `6/6654`, the last digit of the year and a number.
struct TFRNumber: Hashable, Comparable, Sendable {
  let text: String

  /// Reads also `6/6654-1-FDC-F`, the key of one of its areas.
  init?(_ text: String) {
    guard let match = text.trimmed.wholeMatch(of: /(?:FDC )?([0-9]{1,2}\/[0-9]{3,6})(?:-.*)?/) else {
      return nil
    }
    self.text = String(match.1)
  }

  /// The name of the FAA's file about it.
  var detailName: String { TFRSources.detailStart + text.replacing("/", with: "_") + ".xml" }

  static func < (left: TFRNumber, right: TFRNumber) -> Bool { left.text < right.text }
}

/// The names of the source files.
enum TFRSources {
  static let list = "getTfrList.json"
  static let noShapes = "noShapeTfrList.json"
  static let features = "V_TFR_LOC.json"
  static let detailStart = "detail_"
  /// More than any file of the FAA has.
  static let mostBytes = 5_000_000
}

/// Why a file is not accepted.
struct TFRDefect: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// What a list says about a TFR. Values that are missing in the list are nil.
struct TFREntry: Equatable {
  let number: TFRNumber
  /// `HAZARDS`
  var type: String?
  var facility: String?
  var state: String?
  var title: String?
  var modified: Instant?

  fileprivate init?(_ fields: TextFields) {
    guard let number = (fields["notam_id"] ?? fields["notam_key"]).flatMap(TFRNumber.init) else { return nil }
    self.number = number
    type = fields["type"] ?? fields["legal"]
    facility = fields["facility"] ?? fields["cns_location_id"]
    state = fields["state"]
    title = fields["description"] ?? fields["title"]
    modified = (fields["mod_abs_time"] ?? fields["last_modification_datetime"]).flatMap {
      Instant(digits: $0)
    }
  }
}

/// A list of TFRs: `getTfrList` or `noShapeTfrList`.
struct TFRList {
  let entries: [TFREntry]
  /// How many entries have no NOTAM number that can be read.
  let bad: Int

  init(_ data: Data) throws {
    let rows = try JSONDecoder().decode([TextFields].self, from: try data.plainJSON)
    entries = rows.compactMap(TFREntry.init)
    bad = rows.count - entries.count
  }

  /// The newest change of an entry.
  var newest: Instant? { entries.compactMap(\.modified).max() }

  /// Throws for a list that is empty, too short, or older than the one before.
  ///
  /// - Parameter maxLoss: the share of its entries that the list may have lost.
  func check(after before: TFRList?, maxLoss: Double, now: Instant) throws {
    guard let newest else {
      throw TFRDefect("it has no TFR with a time, and there are always permanent ones")
    }
    guard newest < now.adding(86_400) else {
      throw TFRDefect("its newest change, \(newest), is in the future")
    }
    guard let before else { return }
    guard Double(entries.count) >= Double(before.entries.count) * (1 - maxLoss) else {
      throw TFRDefect("it has \(entries.count) TFRs, and the list before had \(before.entries.count)")
    }
    let earlier = Dictionary(before.entries.map { ($0.number, $0) }) { first, _ in first }
    let older = entries.first { entry in
      guard let new = entry.modified, let old = earlier[entry.number]?.modified else { return false }
      return new < old
    }
    // A change of the FAA's clock could set one entry back for good; an old file has nothing new.
    if let older, before.newest.map({ newest <= $0 }) ?? false {
      throw TFRDefect("it is an older list: \(older.number.text) was changed later in the one before")
    }
  }
}

/// The polygons of TFRs by the FAA's map server, one or more for a NOTAM.
struct TFRFeatures: Decodable {
  private struct Feature: Decodable {
    let properties: TextFields
    let geometry: GeoJSONPolygons?

    enum CodingKeys: CodingKey { case properties, geometry }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      properties = try container.decode(TextFields.self, forKey: .properties)
      geometry = try? container.decodeIfPresent(GeoJSONPolygons.self, forKey: .geometry)
    }
  }

  private enum CodingKeys: CodingKey { case features }

  private let features: [Feature]
  /// How many there are by the server's count.
  private let whole: Int

  init(from decoder: any Decoder) throws {
    features = try decoder.container(keyedBy: CodingKeys.self).decode([Feature].self, forKey: .features)
    let fields = try TextFields(from: decoder)
    let counts = ["numberreturned", "numbermatched", "totalfeatures"].compactMap {
      fields[$0].flatMap { Int($0) }
    }
    whole = counts.max() ?? features.count
  }

  init(_ data: Data) throws {
    self = try JSONDecoder().decode(TFRFeatures.self, from: try data.plainJSON)
  }

  /// Throws for an answer without all features, and for one in another reference system.
  func check() throws {
    guard features.count == whole, whole > 0 else {
      throw TFRDefect("it has \(features.count) of \(whole) features")
    }
    let positions = features.lazy.compactMap(\.geometry).flatMap { $0.polygons.joined().joined() }
    guard positions.allSatisfy({ $0.count >= 2 && abs($0[0]) <= 180 && abs($0[1]) <= 90 }) else {
      throw TFRDefect("its positions are not in degrees")
    }
  }

  /// What it says of each NOTAM, with the rings of its polygons.
  var notices: [(entry: TFREntry, polygons: [[[[Double]]]])] {
    features.compactMap { feature in
      TFREntry(feature.properties).map { ($0, feature.geometry?.polygons ?? []) }
    }
  }
}

/// The members of a JSON object that are texts or whole numbers, by their names in lower case. Anything else has none.
private struct TextFields: Decodable {
  private var texts: [String: String] = [:]

  init(from decoder: any Decoder) throws {
    guard let container = try? decoder.container(keyedBy: WrittenKey.self) else { return }
    for key in container.allKeys {
      let text =
        (try? container.decode(String.self, forKey: key))
        ?? (try? container.decode(Int.self, forKey: key))?.description
      texts[key.stringValue.lowercased()] = text?.trimmed
    }
  }

  subscript(name: String) -> String? { texts[name].flatMap { $0.isEmpty ? nil : $0 } }
}

extension Data {
  /// The data, if it is JSON that all parsers read alike.
  fileprivate var plainJSON: Data {
    get throws {
      if let flaw = JSONText(self, .json).flaw { throw TFRDefect("it is not JSON: \(flaw)") }
      return self
    }
  }
}

extension Instant {
  /// Reads `202610011551`, or the same in ten digits without the century.
  init?(digits text: some StringProtocol) {
    let long = text.count == 10 ? "20" + text : String(text)
    guard long.count == 12, let day = CalendarDay(compact: long.prefix(8)), let clock = Int(long.suffix(4)),
      (0..<24).contains(clock / 100), (0..<60).contains(clock % 100), long.allSatisfy(\.isNumber)
    else { return nil }
    self.init(day, hour: clock / 100, minute: clock % 100)
  }

  /// Reads a time of the FAA, which is in UTC also without a zone: `2026-10-01T16:00:00`.
  init?(faa text: String) {
    guard let time = Instant(text + "Z") ?? Instant(text) else { return nil }
    self = time
  }
}
