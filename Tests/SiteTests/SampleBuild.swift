import Core
import CryptoIO
import Foundation
import ImageIO
import Synchronization
import TestSupport

@testable import ChartpipeKit

/// A folder for builds and sites, and the products that a build leaves in it: real archives, only small.
struct SampleBuild {
  let folder = TemporaryFolder()

  var site: URL { folder.file("site") }
  var catalogueFile: URL { file("catalog.json") }

  /// A file of the site.
  func file(_ path: String) -> URL { site.appending(path: path) }

  func build(_ cycle: String, _ pipeline: String = "") -> URL {
    folder.file("build").appending(path: cycle).appending(path: pipeline)
  }

  /// Makes a chart's archive and its description. The shade makes other bytes of the same chart.
  @discardableResult
  func chart(
    _ id: String, name: String? = nil, cycle: String = "2612", pipeline: String = "vfr-sectional",
    shade: UInt8 = 200
  ) throws -> URL {
    let folder = build(cycle, pipeline)
    try folder.makeFolder()
    let archive = folder.appending(path: "\(id).mbtiles")
    try? archive.remove()
    let chart = try SampleChart(id: "\(pipeline)/\(id)", name: name ?? id, cycle: cycle, shade: shade)
    let product = try chart.write(to: archive)
    let description = folder.appending(path: "\(id).product.json")
    try CanonicalJSON.pretty(product).write(to: description)
    return description
  }

  func request(
    _ builds: [URL], now: String = "2026-12-01", missing: [String] = [], notes: [SourceNote] = []
  ) -> StageRequest {
    StageRequest(
      builds: builds, site: site, now: Instant(now) ?? Instant(secondsSince1970: 0), missing: missing,
      notes: notes)
  }

  @discardableResult
  func stage(
    _ builds: URL..., now: String = "2026-12-01", missing: [String] = [], notes: [SourceNote] = [],
    progress: any ProgressReporter = SilentProgress(), _ change: (inout StageRequest) -> Void = { _ in }
  ) throws -> StagedSite {
    var request = request(builds, now: now, missing: missing, notes: notes)
    change(&request)
    return try Stager.stage(request, progress: progress)
  }

  /// Stages two cycles of one chart.
  func stageSeattle(_ cycles: [String] = ["2611", "2612"], key: SigningKey? = nil) throws {
    for (cycle, shade) in zip(cycles, [90, 120] as [UInt8]) {
      try chart("Seattle", cycle: cycle, shade: shade)
      try stage(build(cycle)) { $0.key = key }
    }
  }

  var published: PublishedSite { PublishedSite(folder: site) }

  /// Stages without the rules.
  @discardableResult
  func stageUnchecked(
    _ builds: URL..., progress: any ProgressReporter = SilentProgress()
  ) throws -> StagedSite {
    try Stager.stage(
      request(builds), validate: { _, _ in ValidationReport(findings: []) }, progress: progress)
  }

  /// Stages, and returns the hashes of the site's files.
  func hashes(staging request: StageRequest) throws -> [String: SHA256Hex] {
    _ = try Stager.stage(request, progress: SilentProgress())
    return try hashes()
  }

  func catalogue() throws -> Catalog { try catalogueFile.decoded(Catalog.self) }

  func manifest(_ cycle: AiracCycle) throws -> Manifest {
    let file = site.appending(path: "cycles/\(cycle)/manifest.json")
    return try file.decoded(Manifest.self)
  }

  func report(_ cycle: String = "2612") throws -> String {
    try site.appending(path: "cycles/\(cycle)/report.html").text
  }

  /// Every file of the site by its path, with the hash of its bytes.
  func hashes() throws -> [String: SHA256Hex] {
    var hashes: [String: SHA256Hex] = [:]
    for path in try files(below: site) { hashes[path] = try SHA256Hex(ofFile: site.appending(path: path)) }
    return hashes
  }
}

extension SigningKey {
  /// Stops the tests where there are no random numbers, so that a suite needs no initialiser for its key.
  static func new() -> SigningKey {
    do { return try generate() } catch { preconditionFailure("cannot make a key: \(error)") }
  }
}

/// Changes the description of a product.
func edit(_ description: URL, _ body: (inout Product) throws -> Void) throws {
  var product = try Product(describedBy: description)
  try body(&product)
  try CanonicalJSON.pretty(product).write(to: description)
}

/// A chart of one tile a zoom.
struct SampleChart {
  let id: String
  let name: String
  let cycle: AiracCycle
  let shade: UInt8
  private let zooms = 6...8
  private let place = GeoPoint(longitude: -122.115, latitude: 37.4611)

  init(id: String, name: String, cycle: String, shade: UInt8) throws {
    guard let cycle = AiracCycle(identifier: cycle) else { throw CocoaError(.coderInvalidValue) }
    self.id = id
    self.name = name
    self.cycle = cycle
    self.shade = shade
  }

  private var bounds: GeoBox { TileID(zoom: zooms.upperBound, containing: place).box }
  private var neatline: String {
    let corners = [
      [bounds.west, bounds.north], [bounds.west, bounds.south], [bounds.east, bounds.south],
      [bounds.east, bounds.north], [bounds.west, bounds.north],
    ]
    return "{\"type\":\"Polygon\",\"coordinates\":[\(corners)]}"
  }
  /// `San_Francisco`, `San_Francisco_TAC`
  private var region: String {
    let parts = id.split(separator: "/")
    return (parts.last.map(String.init) ?? id) + (parts.first == "vfr-terminal" ? "_TAC" : "")
  }
  private var effective: Instant { cycle.edition(.every56Days).effective }
  private var expires: Instant { cycle.edition(.every56Days).expires }
  private var source: Product.Source {
    get throws {
      let content = Array("\(id) \(effective)".utf8)
      return .init(url: "\(name).zip", sha256: try SHA256Hex(of: content), bytes: 4_567_890)
    }
  }

  func write(to archive: URL) throws -> Product {
    let writer = try MBTilesWriter(creating: archive)
    let tiles = try zooms.map { Tile(id: TileID(zoom: $0, containing: place), data: try image(zoom: $0)) }
    for tile in tiles { try writer.add(tile) }
    let summary = try writer.finish(try metadata())
    let file = Product.File(
      path: archive.lastPathComponent, sha256: try SHA256Hex(ofFile: archive),
      bytes: try archive.data.count, mediaType: "application/vnd.sqlite3", role: .tiles)
    return Product(
      id: id, kind: .chart, name: name, cycle: cycle,
      edition: .day(effective.day), effectiveDate: effective, expirationDate: expires, boundingBox: bounds,
      minZoom: zooms.lowerBound,
      maxZoom: zooms.upperBound, format: "png", files: [file], sources: [try source, try source],
      build: .init(
        tool: ToolVersion.tool, version: ToolVersion.version, libraries: ["gdal": "3.6.2"],
        definitionSha256: try SHA256Hex(of: [shade]),
        counts: ["distinctTiles": summary.distinctTiles, "tiles": summary.tiles]), region: region)
  }

  private func metadata() throws -> ArchiveMetadata {
    ArchiveMetadata(
      name: name, format: "png", bounds: bounds, minZoom: zooms.lowerBound, maxZoom: zooms.upperBound,
      attribution: "FAA", description: "A sample. Not for navigation.",
      version: cycle.edition(.every56Days).id,
      extra: [
        "chartpipe:cycle": cycle.identifier, "chartpipe:effective": effective.description,
        "chartpipe:expires": expires.description, "chartpipe:source_sha256": try source.sha256.text,
        "chartpipe:neatline": neatline,
      ])
  }

  /// One shade all over. Encoding is the slow part of these tests, so each image is made once.
  private func image(zoom: Int) throws -> [UInt8] {
    let days = effective.secondsSince1970 / 86_400
    let level = shade &+ UInt8(zoom) &+ UInt8(days / 56 % 8)
    if let made = images.withLock({ $0[level] }) { return made }
    let pixel = [level, level, level, 255]
    let image = RGBAImage(
      width: 256, height: 256, pixels: Array(repeating: pixel, count: 256 * 256).flatMap(\.self))
    let bytes = try PNG.encode(image)
    images.withLock { $0[level] = bytes }
    return bytes
  }
}

private let images = Mutex<[UInt8: [UInt8]]>([:])
