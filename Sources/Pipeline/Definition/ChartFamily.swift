public import Airac

/// A family of charts as its pipeline file describes it: one entry per tif, never per zip.
public struct ChartFamily: Codable, Equatable, Sendable {
  public var name: String
  public var title: String
  public var cadence: Cadence
  public var attribution: String
  public var tiles: TileSettings
  public var charts: [ChartDefinition]
}

public struct TileSettings: Codable, Equatable, Sendable {
  public enum Format: String, Codable, Sendable {
    case png
  }

  public var minZoom: Int
  public var maxZoom: Int
  public var format: Format
  /// Pixels a side.
  public var size: Int
}

public struct ChartDefinition: Codable, Equatable, Sendable {
  /// `San_Francisco`; the product is `vfr-sectional/San_Francisco`.
  public var id: String
  public var name: String
  /// `San_Francisco.zip`, as the FAA names it.
  public var zip: String
  /// `San Francisco SEC.tif`, the member of the zip; the `.htm` and `.tfw` have the same stem.
  public var tif: String
  public var neatline: NeatlineDefinition
}

/// The four edges of the printed map. Real edges are of three kinds, so nothing needs tracing by hand.
public struct NeatlineDefinition: Codable, Equatable, Sendable {
  public var west: Edge
  public var south: Edge
  public var east: Edge
  public var north: Edge

  public enum Edge: Equatable, Sendable {
    /// Degrees east.
    case meridian(Double)
    /// Degrees north.
    case parallel(Double)
    /// A line of constant pixel column (an eastern or western sheet cut), counted from the left edge of the image.
    case column(Double)
    /// A line of constant pixel row, counted from the top edge of the image.
    case row(Double)
  }
}

extension NeatlineDefinition.Edge: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case meridian
    case parallel
    case column
    case row
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard container.allKeys.count == 1, let key = container.allKeys.first else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "an edge is one of { meridian: }, { parallel: }, { column: }, { row: }"))
    }
    let value = try container.decode(Double.self, forKey: key)
    switch key {
    case .meridian: self = .meridian(value)
    case .parallel: self = .parallel(value)
    case .column: self = .column(value)
    case .row: self = .row(value)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .meridian(let value): try container.encode(value, forKey: .meridian)
    case .parallel(let value): try container.encode(value, forKey: .parallel)
    case .column(let value): try container.encode(value, forKey: .column)
    case .row(let value): try container.encode(value, forKey: .row)
    }
  }
}
