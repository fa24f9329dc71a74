public import Core

/// An inset that a chart is known to have: a map of another place, printed within the chart's own map.
public struct InsetDefinition: Codable, Equatable, Sendable {
  /// `Norfolk`
  public var name: String
  /// About where it lies on the chart, in degrees of the chart's own graticule; nil when that is not known.
  public var near: GeoBox?

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case name, near
  }

  public init(name: String, near: GeoBox? = nil) {
    self.name = name
    self.near = near
  }

  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: CodingKeys.self)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    guard let near = try container.decodeIfPresent([Double].self, forKey: .near) else { return }
    guard near.count == 4, near[0] < near[2], near[1] < near[3], near[3] - near[1] <= 90,
      near[2] - near[0] <= 180
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .near, in: container,
        debugDescription: "four numbers are needed: west, south, east and north, in degrees")
    }
    self.near = GeoBox(west: near[0], south: near[1], east: near[2], north: near[3])
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encodeIfPresent(near.map { [$0.west, $0.south, $0.east, $0.north] }, forKey: .near)
  }
}
