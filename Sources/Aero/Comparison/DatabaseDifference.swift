public import SQLiteIO

/// The differences of two app databases: the document of `chartpipe diff --json`.
public struct DatabaseDifference: Codable, Equatable, Sendable {
  public private(set) var format = "chartpipe-diff-1"
  public let old: ComparedEdition
  public let new: ComparedEdition
  /// Tables and columns in one of the files only, as text.
  public let notCompared: [String]
  public let summary: [ChangeTally]
  /// The most important first: airports with a tower, other public ones, private ones.
  public let airports: [AirportDifference]
  public let navaids: [ItemDifference]
  public let fixes: [ItemDifference]
  public let airspaces: [ItemDifference]
  /// Departures and arrivals.
  public let procedures: [ItemDifference]
  public let holds: [ItemDifference]
  /// Preferred and coded routes.
  public let routes: [ItemDifference]
  public let obstacles: [ObstacleTally]
  /// Tables whose rows were only counted.
  public let otherTables: [TableGrowth]
  /// The differences of coded procedures, table by table; nil for other databases.
  public var tables: [TableDifference]?
}

/// The differences of a table of coded procedures.
public struct TableDifference: Codable, Equatable, Sendable {
  public let table: String
  public let items: [ItemDifference]
}

/// The edition of the data in a file.
public struct ComparedEdition: Codable, Equatable, Sendable {
  /// The path as the user gave it.
  public let file: String
  public let cycle: String?
  public let effective: String?
  public let expires: String?
  public let schemaVersion: String?
  public let source: String?
}

/// The change of a row.
public enum Change: String, Codable, CaseIterable, CodingKeyRepresentable, Sendable {
  case added
  /// A closed airport is open again.
  case reopened
  case removed
  /// A closed airport that is still in the data.
  case closed
  case changed
}

/// The numbers of changed rows of a table, and of their changed fields.
public struct ChangeTally: Codable, Equatable, Sendable {
  public let table: String
  public let changes: [Change: Int]
  public let fields: [String: Int]
}

public struct AirportDifference: Codable, Equatable, Sendable {
  /// The importance of an airport.
  public enum Rank: String, Codable, CaseIterable, Sendable {
    case towered, `public`, `private`
  }

  /// The FAA's landing facility site number and its type, which are permanent.
  public let siteNumber: String
  public let siteType: String
  public let icao: String
  public let name: String
  public let city: String?
  public let state: String?
  public let country: String?
  public let type: String
  public let rank: Rank
  public var change: Change
  /// The description of an airport that was added or removed.
  public var description: String?
  public var fields: [FieldDifference] = []
  public var runways: [ItemDifference] = []
  public var frequencies: [ItemDifference] = []
}

/// A runway, a frequency, a navaid, a fix, an airspace, a procedure, a hold or a route.
public struct ItemDifference: Codable, Equatable, Sendable {
  public let name: String
  public let type: String?
  public let state: String?
  public let change: Change
  /// The description of an item that was added or removed.
  public let description: String?
  public let fields: [FieldDifference]
}

public struct FieldDifference: Codable, Equatable, Sendable {
  /// The column; `position` for a latitude with its longitude.
  public let field: String
  /// The change as text: `elevation 6.8 -> 7 ft`.
  public let text: String
  /// The values exactly as they are stored.
  public let old: SQLiteValue?
  public let new: SQLiteValue?

  /// Nil for a value that JSON does not have.
  static func stored(_ value: SQLiteValue) -> SQLiteValue? {
    switch value {
    case .integer, .real, .text: value
    case .null, .blob: nil
    }
  }
}

/// The obstacles of one state, or of one country outside the United States.
public struct ObstacleTally: Codable, Equatable, Sendable {
  public let state: String
  public var added = 0
  public var removed = 0
  public var changed = 0
  /// The height of the tallest added obstacle, in feet above ground.
  public var tallestAdded: Int?
}

public struct TableGrowth: Codable, Equatable, Sendable {
  public let table: String
  public let old: Int
  public let new: Int
}

extension SQLiteValue: Codable {
  /// JSON does not distinguish a real number without a fraction from a whole one.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .real(value)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .integer(let value): try container.encode(value)
    case .real(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    case .blob(let bytes): try container.encode(bytes)
    case .null: try container.encodeNil()
    }
  }
}
