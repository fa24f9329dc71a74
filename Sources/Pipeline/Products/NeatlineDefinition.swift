public import Core

/// The edges of the printed map. There are few kinds of edges, so no polygon needs to be traced.
public struct NeatlineDefinition: Equatable, Sendable {
  /// The outer edge: lines in anticlockwise order, each of which meets the next one in a corner. Most sheets have four, the
  /// western one first; a stepped border has more.
  public var outline: [Edge]
  /// Insets within the map that are not part of it, each a ring like the outline.
  public var masks: [[Edge]]
  /// Why an edge of the outline cannot be measured on the sheet, by the edge's index: `open water`.
  public var unmeasured: [Int: String]

  public init(outline: [Edge], masks: [[Edge]] = [], unmeasured: [Int: String] = [:]) {
    (self.outline, self.masks, self.unmeasured) = (outline, masks, unmeasured)
  }

  public enum Edge: Equatable, Sendable {
    /// Degrees east.
    case meridian(Double)
    /// Degrees north.
    case parallel(Double)
    /// A line of constant pixel column (an eastern or western sheet cut), counted from the left edge of the image.
    case column(Double)
    /// A line of constant pixel row, counted from the top edge of the image.
    case row(Double)
    /// The column of a place.
    case columnThrough(GeoPoint)
    /// The row of a place.
    case rowThrough(GeoPoint)
    /// A straight line on the sheet through two places, for a tilted map.
    case straight(GeoPoint, GeoPoint)
  }

  /// The name of a side of the outline, for people.
  public func name(ofSide index: Int, isLeaning: Bool) -> String {
    outline.count == 4 && index < 4
      ? NeatlineDefinition.names(isLeaning: isLeaning)[index] : "edge \(index + 1)"
  }

  /// The names of the edges of an outline of four. Those of a leaning sheet are named by the image.
  public static func names(isLeaning: Bool) -> [String] {
    isLeaning
      ? ["left edge", "lower edge", "right edge", "upper edge"]
      : ["western edge", "southern edge", "eastern edge", "northern edge"]
  }
}

extension NeatlineDefinition.Edge {
  /// The key and the numbers in a definition file.
  public var notation: (kind: String, values: [Double]) {
    switch self {
    case .meridian(let degrees): ("meridian", [degrees])
    case .parallel(let degrees): ("parallel", [degrees])
    case .column(let column): ("column", [column])
    case .row(let row): ("row", [row])
    case .columnThrough(let place): ("columnThrough", [place.longitude, place.latitude])
    case .rowThrough(let place): ("rowThrough", [place.longitude, place.latitude])
    case .straight(let a, let b): ("straight", [a.longitude, a.latitude, b.longitude, b.latitude])
    }
  }
}

extension NeatlineDefinition: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case west
    case south
    case east
    case north
    case outline
    case masks
  }

  private struct Ring: Codable {
    let edges: [StatedEdge]

    init(_ edges: [Edge], unmeasured: [Int: String] = [:]) {
      self.edges = edges.indices.map { StatedEdge(edge: edges[$0], unmeasured: unmeasured[$0]) }
    }

    /// Four named edges, or a list of any number.
    init(from decoder: any Decoder) throws {
      try decoder.refuseKeys(besides: Key.self)
      let container = try decoder.container(keyedBy: Key.self)
      if container.contains(.outline) {
        if let other = [Key.west, .south, .east, .north].first(where: container.contains) {
          throw container.fault(other, "it is not allowed beside `outline`")
        }
        edges = try container.decode([StatedEdge].self, forKey: .outline)
        guard edges.count >= 3 else {
          throw container.fault(.outline, "an outline has at least three edges")
        }
      } else {
        edges = try [Key.west, .south, .east, .north].map {
          try container.decode(StatedEdge.self, forKey: $0)
        }
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(edges, forKey: .outline)
    }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let edges = try Ring(from: decoder).edges
    outline = edges.map(\.edge)
    unmeasured = Dictionary(
      uniqueKeysWithValues: edges.indices.compactMap { index in
        edges[index].unmeasured.map { (index, $0) }
      })
    masks =
      try container.decodeIfPresent([Ring].self, forKey: .masks)?.map { ring in
        if ring.edges.contains(where: { $0.unmeasured != nil }) {
          throw container.fault(.masks, "the edges of masks are not measured: omit `unmeasured`")
        }
        return ring.edges.map(\.edge)
      } ?? []
  }

  public func encode(to encoder: any Encoder) throws {
    try Ring(outline, unmeasured: unmeasured).encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    if !masks.isEmpty { try container.encode(masks.map { Ring($0) }, forKey: .masks) }
  }
}

extension NeatlineDefinition {
  /// An edge in a definition file: `{ parallel: 68, unmeasured: "open water" }`.
  private struct StatedEdge: Codable {
    let edge: Edge
    let unmeasured: String?

    private enum Key: String, CodingKey, CaseIterable {
      case unmeasured
    }

    init(edge: Edge, unmeasured: String?) { (self.edge, self.unmeasured) = (edge, unmeasured) }

    init(from decoder: any Decoder) throws {
      edge = try Edge(from: decoder)
      try decoder.refuseKeys(besides: Key.self, [edge.notation.kind])
      let container = try decoder.container(keyedBy: Key.self)
      unmeasured = try container.decodeIfPresent(String.self, forKey: .unmeasured)
      if let unmeasured, unmeasured.allSatisfy(\.isWhitespace) {
        throw container.fault(.unmeasured, "a reason is required: why does nothing show where the map ends?")
      }
    }

    func encode(to encoder: any Encoder) throws {
      try edge.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encodeIfPresent(unmeasured, forKey: .unmeasured)
    }
  }
}

extension NeatlineDefinition.Edge: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case meridian
    case parallel
    case column
    case row
    case columnThrough
    case rowThrough
    case straight
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard container.allKeys.count == 1, let key = container.allKeys.first else {
      let kinds = Key.allCases.map { "{ \($0.rawValue): }" }.joined(separator: ", ")
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "an edge is one of \(kinds)"))
    }
    func number() throws -> Double { try container.decode(Double.self, forKey: key) }
    func places(_ count: Int) throws -> [GeoPoint] {
      let numbers = try container.decode([Double].self, forKey: key)
      guard numbers.count == 2 * count else {
        throw container.fault(key, "\(2 * count) numbers are required: longitude and latitude of each place")
      }
      return stride(from: 0, to: numbers.count, by: 2).map {
        GeoPoint(longitude: numbers[$0], latitude: numbers[$0 + 1])
      }
    }
    switch key {
    case .meridian: self = .meridian(try number())
    case .parallel: self = .parallel(try number())
    case .column: self = .column(try number())
    case .row: self = .row(try number())
    case .columnThrough: self = .columnThrough(try places(1)[0])
    case .rowThrough: self = .rowThrough(try places(1)[0])
    case .straight:
      let ends = try places(2)
      self = .straight(ends[0], ends[1])
    }
  }

  public func encode(to encoder: any Encoder) throws {
    guard let key = Key(rawValue: notation.kind) else { return }
    var container = encoder.container(keyedBy: Key.self)
    let values = notation.values
    if values.count == 1 {
      try container.encode(values[0], forKey: key)
    } else {
      try container.encode(values, forKey: key)
    }
  }
}

/// A known inset: a map of another place, printed within the chart's map.
public struct InsetDefinition: Codable, Equatable, Sendable {
  /// `Norfolk`
  public var name: String
  /// The approximate place on the chart, in degrees of the chart's graticule; nil if unknown.
  public var near: GeoBox?

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case name, near
  }

  public init(name: String, near: GeoBox? = nil) { (self.name, self.near) = (name, near) }

  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: CodingKeys.self)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    guard let near = try container.decodeIfPresent([Double].self, forKey: .near) else { return }
    guard near.count == 4, near[0] < near[2], near[1] < near[3], near[3] - near[1] <= 90,
      near[2] - near[0] <= 180
    else {
      throw container.fault(.near, "four numbers are needed: west, south, east and north, in degrees")
    }
    self.near = GeoBox(west: near[0], south: near[1], east: near[2], north: near[3])
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encodeIfPresent(near.map { [$0.west, $0.south, $0.east, $0.north] }, forKey: .near)
  }
}
