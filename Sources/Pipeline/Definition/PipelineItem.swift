internal import Core
public import CryptoIO

/// One product that a pipeline makes, with all that its definition says of it.
public struct PipelineItem: Equatable, Sendable {
  public enum Content: Equatable, Sendable {
    case chart(ChartDefinition, of: ChartFamily)
    /// All charts of the family in one.
    case mosaic(MosaicDefinition, of: ChartFamily)
    case nasr(NASRDefinition)
    case obstacles(ObstacleDefinition)
    /// Another form of what is in a database.
    case export(ExportDefinition, of: DatabaseOrigin)
  }

  public let pipeline: String
  /// `San_Francisco`
  public let id: String
  public let content: Content

  /// `vfr-sectional/San_Francisco`
  public var product: String { "\(pipeline)/\(id)" }

  /// `San_Francisco_TAC`; nil for what is no region.
  var region: String? {
    if case .chart(let chart, let family) = content { family.region(of: chart) } else { nil }
  }

  /// The products of which it is made; empty for what is made of the FAA's files.
  var parts: [String] {
    switch content {
    case .chart, .nasr, .obstacles: []
    case .mosaic(_, let family): family.charts.map { "\(pipeline)/\($0.id)" }
    case .export(_, let origin): ["\(pipeline)/\(origin.id)"]
    }
  }

  /// Whether it is a database that can carry the tables of the subscription.
  var isSubscription: Bool {
    if case .nasr = content { true } else { false }
  }

  /// Whether other products of its pipeline are needed to finish what is made of it.
  var isJoined: Bool {
    switch content {
    case .chart(_, let family): family.seam == .fill || family.mosaic != nil
    case .mosaic, .export: true
    case .nasr(let definition): definition.exports?.isEmpty == false
    case .obstacles(let definition): definition.exports?.isEmpty == false
    }
  }

  /// The hash of what concerns this item, as it was understood: a comment, or a change to another chart of the family,
  /// changes nothing. Nor does it matter where a file was had from: what it is tells its own hash.
  public func definitionSha256() throws -> SHA256Hex {
    switch content {
    case .chart(let chart, var family):
      // The product tells how many charts cover that ground.
      let size = family.covers == nil ? "" : "\(family.charts.count)"
      (family.charts, family.mosaic, family.notCharts, family.url) = ([chart], nil, [], nil)
      return try SHA256Hex(of: Array(CanonicalJSON.line(family)) + Array(size.utf8))
    case .mosaic(_, var family):
      family.url = nil
      return try SHA256Hex(of: Array(CanonicalJSON.line(family)))
    case .nasr(var definition):
      (definition.exports, definition.urls, definition.parts) = (nil, nil, nil)
      return try SHA256Hex(of: Array(CanonicalJSON.line(definition)))
    case .obstacles(var definition):
      (definition.exports, definition.urls) = (nil, nil)
      return try SHA256Hex(of: Array(CanonicalJSON.line(definition)))
    case .export(let export, _):
      return try SHA256Hex(of: Array(CanonicalJSON.line(export)))
    }
  }
}

extension PipelineItem {
  /// The names of the parts that the definition of a database has.
  var partNames: [String] {
    if case .nasr(let definition) = content { (definition.parts ?? [:]).keys.sorted() } else { [] }
  }

  /// The database made of each of these parts alone.
  func parts(named names: [String]) -> [(name: String, item: PipelineItem)] {
    guard case .nasr(let definition) = content else { return [] }
    return names.compactMap { name in
      definition.part(name).map { (name, PipelineItem(pipeline: pipeline, id: id, content: .nasr($0))) }
    }
  }
}
