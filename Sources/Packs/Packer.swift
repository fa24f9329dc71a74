internal import ChartpipeClient
public import Core
public import Foundation

/// Cuts one archive of an area from the charts of a site, a build folder or an archive.
///
/// ```swift
/// let packer = try Packer(request, scratch: folder, progress: progress)
/// print(packer.plan.bytes)
/// let outcome = try packer.write(to: archive, airports: database)
/// ```
public final class Packer {
  public let plan: PackPlan
  private let request: PackRequest
  private let progress: any ProgressReporter
  private let files: PackFiles?
  private let area: FlightArea
  private let points: [RoutePoint]
  private let charts: [SourceChart]
  /// Nil where the archives must be downloaded whole.
  private let cut: PreparedCut?
  private let airports: AirportCut?

  /// Looks up the area, chooses the charts and counts their tiles.
  ///
  /// - Parameters:
  ///   - scratch: an empty folder, which the caller removes.
  ///   - isDryRun: whether to estimate archives that must be downloaded whole, and write nothing.
  init(_ request: PackRequest, scratch: URL, isDryRun: Bool = false, progress: any ProgressReporter) throws {
    (self.request, self.progress) = (request, progress)
    let contents = try SourceContents(request, scratch: scratch, progress: progress)
    try contents.checkTerm(request)
    files = contents.files
    let database = try contents.database(request)
    let (points, area) = try Packer.area(request, database)
    let choice = try ChartChoice(
      contents.charts, for: area, wanted: request.charts, zooms: request.zooms, at: request.time,
      allowsExpired: request.allowsExpired
    ) { try contents.files?.isReadable($0) ?? true }
    let charts = choice.charts
    let dates = charts.map(\.dates) + [database?.chart].compactMap(\.self)
    let notes =
      try choice.notes + dates.notes(at: request.time, request.allowsExpired)
      + contents.notes(request, database)
    let zooms = try Packer.zooms(request.zooms, charts)
    airports = try request.wantsAirports ? database.map { try AirportCut($0.file, area) } : nil
    let isReadable = try charts.allSatisfy { try contents.files?.isReadable($0) ?? true }
    cut = isReadable || !isDryRun ? try PreparedCut(charts, area, zooms, contents.files) : nil
    let gaps = try cut.map { try Coverage($0.readers).gaps(points) } ?? []
    try Packer.check(gaps, request)
    plan = try Packer.plan(
      request, area, points, charts, cut, zooms, airports: airports?.airports.count, gaps, notes)
    (self.points, self.area, self.charts) = (points, area, charts)
  }

  /// Writes the archive, and the airports if a file is given for them. Neither file may exist.
  public func write(
    to archive: URL, airports place: URL?
  ) throws -> (tiles: Int, distinctTiles: Int, airports: Int?) {
    guard let cut else { throw ChartChoice.userError("this was a dry run", "Run without --dry-run.") }
    for (chart, file) in zip(charts, cut.archives) {
      try files?.fill(file, of: chart, with: Set(cut.join.tiles))
    }
    let metadata = PackMetadata(
      name: plan.name, area: area, request: request.area, points: points, charts: cut.used.map { charts[$0] },
      rows: try cut.used.map { try cut.readers[$0].metadata() })
    let step = "pack"
    progress.report(.started(step: step))
    let isPMTiles = archive.pathExtension.lowercased() == ArchiveKind.pmtiles.rawValue
    let first = isPMTiles ? archive.deletingPathExtension().appendingPathExtension("mbtiles") : archive
    defer { if isPMTiles { try? FileManager.default.removeItem(at: first) } }
    var summary = try cut.join.write(
      to: first, metadata: try metadata.archiveMetadata(cut.join.tiles), jobs: request.jobs,
      progress: progress, step: step)
    if isPMTiles { summary = try PMTilesWriter.write(MBTilesReader(opening: first), to: archive) }
    if let place, let airports { try airports.write(to: place, name: plan.name) }
    progress.finish(step, Counts.of(summary.tiles, "tile"))
    return (summary.tiles, summary.distinctTiles, airports?.airports.count)
  }

  private static func area(
    _ request: PackRequest, _ database: SourceContents.Database?
  ) throws -> ([RoutePoint], FlightArea) {
    let names = request.area.points
    if case .box = request.area { return ([], try request.area.area([])) }
    let points: [RoutePoint]
    if let database {
      points = try PointDirectory(database.file).points(names, option: request.area.option)
    } else {
      points = names.compactMap(RoutePoint.init(coordinates:))
      let others = names.filter { RoutePoint(coordinates: $0) == nil }
      guard others.isEmpty else {
        throw UserError(
          .badCall, operation: "reading \(request.area.option)",
          reason: "there is no database in which to look up \(others.joined(separator: ", "))",
          suggestion: "Write coordinates such as 37.46N122.11W, or name a site with an aviation database.")
      }
    }
    return (points, try request.area.area(points))
  }

  private static func zooms(_ wanted: ClosedRange<Int>?, _ charts: [SourceChart]) throws -> ClosedRange<Int> {
    let least = charts.map(\.zooms.lowerBound).min() ?? 0
    let largest = charts.map(\.zooms.upperBound).max() ?? 0
    guard let wanted else { return least...largest }
    guard least <= wanted.lowerBound, wanted.upperBound <= largest else {
      throw UserError(
        .badCall, operation: "reading --zooms",
        reason:
          "the charts have the zooms \(least)-\(largest), not \(wanted.lowerBound)-\(wanted.upperBound)",
        suggestion: "Give zooms that they have, or leave --zooms out for all.")
    }
    return wanted
  }

  private static func check(_ gaps: [String], _ request: PackRequest) throws {
    guard !gaps.isEmpty, !request.allowsGaps else { return }
    throw UserError(
      .badInput, operation: "comparing the route with the charts",
      reason: "no chart covers \(gaps.joined(separator: "; "))",
      suggestion: "Choose other charts with --charts, or add --allow-gaps to pack the rest.")
  }
}

extension Packer {
  private static func plan(
    _ request: PackRequest, _ area: FlightArea, _ points: [RoutePoint], _ charts: [SourceChart],
    _ cut: PreparedCut?, _ zooms: ClosedRange<Int>, airports: Int?, _ gaps: [String], _ notes: [String]
  ) throws -> PackPlan {
    var plan = PackPlan(
      name: request.name ?? request.area.title,
      points: points.map {
        PackPlan.Point(
          name: $0.name, kind: $0.kind, latitude: $0.place.latitude, longitude: $0.place.longitude)
      },
      charts: (cut.map { cut in cut.used.map { charts[$0] } } ?? charts).map {
        PackPlan.Chart(
          id: $0.id, name: $0.name, edition: $0.edition, effective: $0.dates.effective?.description,
          expires: $0.dates.expires?.description)
      },
      zooms: [], tiles: 0, bytes: 0, isEstimate: cut == nil, downloadBytes: 0, airports: airports,
      gaps: gaps, notes: notes)
    if let cut {
      try plan.count(cut)
    } else {
      plan.estimate(area, charts, zooms)
    }
    plan.tiles = plan.zooms.reduce(0) { $0 + $1.tiles }
    return plan
  }
}

extension PackPlan {
  fileprivate mutating func count(_ cut: PreparedCut) throws {
    let counts = try cut.join.byteCounts()
    let tiles = Dictionary(grouping: cut.join.tiles, by: \.zoom)
    zooms = tiles.keys.sorted().map {
      Zoom(zoom: $0, tiles: tiles[$0]?.count ?? 0, bytes: counts[$0] ?? 0)
    }
    bytes = counts.values.reduce(0, +)
    downloadBytes = cut.downloadBytes
    if cut.missing > 0 {
      notes.append(
        "\(Counts.of(cut.missing, "tile")) of zoom \(cut.largestZoom) in the area lie outside of the charts.")
    }
  }

  /// Estimates from the catalogue alone.
  fileprivate mutating func estimate(
    _ area: FlightArea, _ charts: [SourceChart], _ range: ClosedRange<Int>
  ) {
    let archives = charts.compactMap { chart in
      chart.files.first.map { (boxes: chart.boxes, zooms: chart.zooms, bytes: $0.bytes) }
    }
    let estimate = AreaEstimate(of: area, from: archives, zooms: range)
    zooms = estimate.tiles.keys.sorted().map {
      Zoom(zoom: $0, tiles: estimate.tiles[$0] ?? 0, bytes: nil)
    }
    bytes = estimate.bytes
    downloadBytes = archives.reduce(0) { $0 + $1.bytes }
  }
}

extension AreaText {
  /// `KPAO KSQL KMRY, 25nm either side`
  fileprivate var title: String {
    switch self {
    case .route(let text, let width):
      "\(text.split { $0.isWhitespace }.joined(separator: " ")), \(width) either side"
    case .around(let text, let radius): "\(radius) around \(text)"
    case .box(let text): "Box \(text)"
    }
  }
}

/// The content of a pack, known before it is written.
public struct PackPlan: Encodable, Sendable {
  public struct Point: Encodable, Sendable {
    public var name: String
    public var kind: String
    public var latitude: Double
    public var longitude: Double
  }

  public struct Chart: Encodable, Sendable {
    public var id: String
    public var name: String
    public var edition: String?
    public var effective: String?
    public var expires: String?
  }

  public struct Zoom: Encodable, Sendable {
    public var zoom: Int
    public var tiles: Int
    /// The size of the tiles; nil where only an estimate for all zooms is known.
    public var bytes: Int?
  }

  public var name: String
  /// In the order of the route; empty for a box.
  public var points: [Point]
  public var charts: [Chart]
  public var zooms: [Zoom]
  public var tiles: Int
  /// The approximate size of the pack.
  public var bytes: Int
  /// Whether tiles and bytes are estimated from the catalogue.
  public var isEstimate: Bool
  /// The number of bytes to download.
  public var downloadBytes: Int
  /// The number of airports in the area; nil without a database.
  public var airports: Int?
  /// The parts of the route that no chart covers.
  public var gaps: [String]
  public var notes: [String]
}

/// The source, area and options of a pack.
public struct PackRequest: Sendable {
  public enum Source: Sendable {
    case site(PublishedSite)
    /// A single archive of any raster tiles.
    case archive(URL)
  }

  public var source: Source
  public var area: AreaText
  /// Nil for all zooms of the charts.
  public var zooms: ClosedRange<Int>?
  /// A family, or ids of charts; empty for the family that covers most of the area.
  public var charts: [String] = []
  /// The time at which the pack will be used, which decides the editions.
  public var time: Instant
  /// The time of the clock, which decides whether the catalogue has expired.
  public var now: Instant
  /// Whether editions that are not in force at that time, and those of a catalogue that has expired, may be packed.
  public var allowsExpired = false
  /// Whether a part of the route may be outside of the charts.
  public var allowsGaps = false
  public var wantsAirports = true
  /// The title of the pack; nil for a description of the area.
  public var name: String?
  /// The cache folder for whole files of a site on the web.
  public var cache: URL
  public var jobs = 4
  /// The key that must have signed a site's catalogue; nil for no check of its signature.
  public var publicKey: PublicKey?
}
