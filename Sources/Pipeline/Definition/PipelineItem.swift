public import CryptoIO

/// One product that a pipeline makes, with all that its definition says of it.
public struct PipelineItem: Equatable, Sendable {
  public enum Content: Equatable, Sendable {
    case chart(ChartDefinition, of: ChartFamily)
    /// All charts of the family in one.
    case mosaic(MosaicDefinition, of: ChartFamily)
    case nasr(NASRDefinition)
  }

  public let pipeline: String
  /// `San_Francisco`
  public let id: String
  public let content: Content

  /// `vfr-sectional/San_Francisco`
  public var product: String { "\(pipeline)/\(id)" }

  var isMosaic: Bool {
    if case .mosaic = content { true } else { false }
  }

  var isDatabase: Bool {
    if case .nasr = content { true } else { false }
  }

  /// Whether other charts of its family are needed to finish what is made of it.
  var isJoined: Bool {
    switch content {
    case .chart(_, let family): family.seam == .fill || family.mosaic != nil
    case .mosaic: true
    case .nasr: false
    }
  }

  /// The hash of what concerns this item, as it was understood: a comment, or a change to another chart of the family,
  /// changes nothing.
  public func definitionSha256() throws -> SHA256Hex {
    switch content {
    case .chart(let chart, var family):
      (family.charts, family.mosaic, family.notCharts) = ([chart], nil, [])
      return try SHA256Hex(of: Array(CanonicalJSON.line(family)))
    case .mosaic(_, let family):
      return try SHA256Hex(of: Array(CanonicalJSON.line(family)))
    case .nasr(let definition):
      return try SHA256Hex(of: Array(CanonicalJSON.line(definition)))
    }
  }
}
