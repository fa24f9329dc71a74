internal import Core
public import CryptoIO
public import Foundation

/// A file of `pipelines/`.
public struct PipelineDefinition: Sendable {
  public enum Content: Equatable, Sendable {
    case charts(ChartFamily)
    case nasr(NASRDefinition)
    case obstacles(ObstacleDefinition)
    case raster(RasterFamily)
  }

  public let content: Content

  public var name: String {
    switch content {
    case .charts(let family): family.name
    case .nasr(let definition): definition.name
    case .obstacles(let definition): definition.name
    case .raster(let family): family.name
    }
  }

  /// The products to build.
  public var items: [PipelineItem] {
    switch content {
    case .charts(let family):
      return family.charts.map { PipelineItem(pipeline: name, id: $0.id, content: .chart($0, of: family)) }
        + family.mosaics.map { PipelineItem(pipeline: name, id: $0.id, content: .mosaic($0, of: family)) }
    case .nasr(let definition):
      return [PipelineItem(pipeline: name, id: definition.id, content: .nasr(definition))] + exportItems
    case .obstacles(let definition):
      return [PipelineItem(pipeline: name, id: definition.id, content: .obstacles(definition))] + exportItems
    case .raster(let family):
      return family.images.map { PipelineItem(pipeline: name, id: $0.id, content: .raster($0, of: family)) }
    }
  }

  private var exportItems: [PipelineItem] {
    guard let (origin, exports) = database else { return [] }
    return exports.map { PipelineItem(pipeline: name, id: $0.id, content: .export($0, of: origin)) }
  }

  /// The sources and exports of a database.
  private var database: (origin: DatabaseOrigin, exports: [ExportDefinition])? {
    switch content {
    case .charts, .raster: nil
    case .nasr(let definition): (definition.origin, definition.exports ?? [])
    case .obstacles(let definition): (definition.origin, definition.exports ?? [])
    }
  }

  init(content: Content) { self.content = content }

  /// Reads a JSON5 file. Errors name the file and the key.
  public init(contentsOf file: URL) throws {
    let doing = "reading the pipeline"
    let data = try UserError.wrapping(
      doing, file.path,
      kind: .badCall,
      suggestion: "Name a pipeline of the folder given with --pipelines, or the path of a file."
    ) { try Data(contentsOf: file) }
    do {
      content = try PipelineDefinition.decode(data, in: file.deletingLastPathComponent())
    } catch let error as DecodingError {
      throw UserError(
        .badInput, operation: doing, path: file.path, reason: error.whereAndWhy(in: data, "JSON5"),
        suggestion: "Correct the definition; docs/CHARTS.md and docs/FORMATS.md show its form.",
        causes: [error])
    }
    try check(file)
  }

  static let kindKey = "kind"

  static let kinds = Kind.allCases.map(\.rawValue)

  private enum Kind: String, Decodable, CaseIterable {
    case charts
    case nasr
    case obstacles
    case raster
  }

  private struct Header: Decodable {
    let kind: Kind
  }

  private static func decode(_ data: Data, in folder: URL) throws -> Content {
    switch try JSON5.decode(Header.self, from: data).kind {
    case .charts:
      return .charts(try JSON5.decode(ChartFamily.self, from: data))
    case .nasr:
      var definition = try JSON5.decode(NASRDefinition.self, from: data)
      try definition.corrections?.load(from: folder)
      return .nasr(definition)
    case .obstacles:
      return .obstacles(try JSON5.decode(ObstacleDefinition.self, from: data))
    case .raster:
      return .raster(try JSON5.decode(RasterFamily.self, from: data))
    }
  }

  /// Checks the rules that decoding does not check.
  private func check(_ file: URL) throws {
    func refuse(_ problem: String) -> UserError {
      UserError(.badInput, operation: "reading the pipeline", path: file.path, reason: problem)
    }
    let ids = items.map(\.id)
    let doubles = Dictionary(grouping: ids, by: { $0 }).filter { $1.count > 1 }.keys.sorted()
    if let double = doubles.first { throw refuse("the id \"\(double)\" occurs twice") }
    let safe = { (id: String) in
      !id.isEmpty && id.utf8.allSatisfy { $0.isSafeInFileName } && !id.hasPrefix(".")
    }
    if let odd = (ids + [name]).first(where: { !safe($0) }) {
      throw refuse("\"\(odd)\" is not an id: letters, digits, '_', '-' and '.' only")
    }
    if let odd = items.compactMap(\.region).first(where: { !safe($0) }) {
      throw refuse("\"\(odd)\" is not a region id: letters, digits, '_', '-' and '.' only")
    }
    if let (origin, exports) = database {
      if exports.filter({ $0.format == .geojson }).count > 1 {
        throw refuse("there are two exports of the format geojson, whose files have the same names")
      }
      if let stray = origin.strayURL(exports) {
        throw refuse("urls has \"\(stray)\", which is not the name of a source")
      }
    }
    if case .raster(let family) = content, let problem = family.problem { throw refuse(problem) }
    if case .charts(let family) = content {
      for tiles in [family.tiles] + family.charts.map(family.tiles(for:)) {
        guard 0 <= tiles.minZoom, tiles.minZoom <= tiles.maxZoom, tiles.maxZoom <= 18 else {
          throw refuse("minZoom must not exceed maxZoom, and both must be within 0...18")
        }
      }
      guard [256, 512].contains(family.tiles.size) else { throw refuse("tiles.size must be 256 or 512") }
      guard (50...100).contains(family.tiles.quality) else { throw refuse("tiles.quality must be 50 to 100") }
      guard (48...255).contains(family.tiles.colors) else { throw refuse("tiles.colors must be 48 to 255") }
      guard (0...40).contains(family.tiles.tolerance) else { throw refuse("tiles.tolerance must be 0 to 40") }
      guard (family.covers ?? []).allSatisfy(\.isBox) else {
        throw refuse("each box of covers must be [west, south, east, north] in degrees")
      }
      for mosaic in family.mosaics {
        if let problem = mosaic.problem(in: family) { throw refuse("the mosaic \"\(mosaic.id)\" \(problem)") }
      }
      guard family.tiles.archives.contains(.mbtiles) else {
        throw refuse("tiles.archives must contain \"mbtiles\", the source of the other formats")
      }
    }
  }
}

extension [Double] {
  fileprivate var isBox: Bool {
    count == 4 && -180 <= self[0] && self[0] < self[2] && self[2] <= 180 && -90 <= self[1]
      && self[1] < self[3]
      && self[3] <= 90
  }
}

extension UInt8 {
  fileprivate var isSafeInFileName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}

/// A product of a pipeline with its definition.
public struct PipelineItem: Equatable, Sendable {
  public enum Content: Equatable, Sendable {
    case chart(ChartDefinition, of: ChartFamily)
    /// Several charts of the family in one archive.
    case mosaic(MosaicDefinition, of: ChartFamily)
    case nasr(NASRDefinition)
    case obstacles(ObstacleDefinition)
    /// An export of a database.
    case export(ExportDefinition, of: DatabaseOrigin)
    /// Any image.
    case raster(RasterDefinition, of: RasterFamily)
  }

  public let pipeline: String
  /// `San_Francisco`
  public let id: String
  public let content: Content

  /// `vfr-sectional/San_Francisco`
  public var product: String { "\(pipeline)/\(id)" }

  /// `San_Francisco_TAC`; nil if the product is not a region.
  var region: String? {
    if case .chart(let chart, let family) = content { family.region(of: chart) } else { nil }
  }

  /// The products from which it is built; empty if it is built from the FAA's files.
  public var parts: [String] {
    switch content {
    case .chart, .nasr, .obstacles, .raster: []
    case .mosaic(let mosaic, let family): family.charts(of: mosaic).map { "\(pipeline)/\($0.id)" }
    case .export(_, let origin): ["\(pipeline)/\(origin.id)"]
    }
  }

  /// Whether it is a database that can contain the raw tables of the subscription.
  var isSubscription: Bool {
    if case .nasr = content { true } else { false }
  }

  /// Whether it is a mosaic, which needs charts of its family.
  var isMosaic: Bool {
    if case .mosaic = content { true } else { false }
  }

  /// Whether it is joined with other products of its pipeline.
  var isJoined: Bool {
    switch content {
    case .chart(_, let family): family.seam == .fill || !family.mosaics.isEmpty
    case .mosaic: true
    case .nasr, .obstacles, .export, .raster: false
    }
  }

  /// The hash of the decoded keys that affect this item. Comments, other charts of the family and addresses of files do not
  /// change it.
  public func definitionSha256() throws -> SHA256Hex {
    switch content {
    case .chart(let chart, var family):
      // The product contains the number of charts that cover the area.
      let size = family.covers == nil ? "" : "\(family.charts.count)"
      (family.charts, family.mosaics, family.notCharts, family.url) = ([chart], [], [], nil)
      return try SHA256Hex(of: Array(CanonicalJSON.line(family)) + Array(size.utf8))
    case .mosaic(let mosaic, var family):
      (family.charts, family.mosaics, family.url) = (family.charts(of: mosaic), [mosaic], nil)
      return try SHA256Hex(of: Array(CanonicalJSON.line(family)))
    case .nasr(var definition):
      (definition.exports, definition.urls, definition.parts) = (nil, nil, nil)
      return try SHA256Hex(of: Array(CanonicalJSON.line(definition)))
    case .obstacles(var definition):
      (definition.exports, definition.urls) = (nil, nil)
      return try SHA256Hex(of: Array(CanonicalJSON.line(definition)))
    case .export(let export, _):
      return try SHA256Hex(of: Array(CanonicalJSON.line(export)))
    case .raster(let image, var family):
      (family.images, family.url) = ([image], nil)
      return try SHA256Hex(of: Array(CanonicalJSON.line(family)))
    }
  }
}

extension PipelineItem {
  /// The names of the parts in a database's definition.
  var partNames: [String] {
    if case .nasr(let definition) = content { (definition.parts ?? [:]).keys.sorted() } else { [] }
  }

  /// The database of each of these parts.
  func parts(named names: [String]) -> [(name: String, item: PipelineItem)] {
    guard case .nasr(let definition) = content else { return [] }
    return names.compactMap { name in
      definition.part(name).map { (name, PipelineItem(pipeline: pipeline, id: id, content: .nasr($0))) }
    }
  }
}
