internal import Core
internal import Foundation

struct TileCommand: Subcommand {
  static let spec = CommandSpec(
    name: "tile", summary: "Tiles a georeferenced image as MBTiles or PMTiles.",
    operands: OperandSpec(
      name: "IMAGE", help: "a GeoTIFF or another image that GDAL reads", minimum: 1, maximum: 1),
    options: [
      OptionSpec(
        "--output", value: "FILE", required: true,
        "the .mbtiles or .pmtiles file to write; -o for short"),
      OptionSpec(
        "--zooms", value: "A-B",
        "the zooms, such as 5-14 (default: from the one at which the image fits on a tile to that of its resolution)"
      ),
      OptionSpec(
        "--format", value: "F",
        "png (8 bits, one palette), png32, webp or webp-lossless (default: png for an image with a palette, else webp)"
      ),
      OptionSpec("--size", value: "N", "the side of a tile in pixels: 256 or 512 (default: 256)"),
      OptionSpec("--quality", value: "Q", "the quality of webp, 50 to 100 (default: 80)"),
      OptionSpec("--name", value: "TEXT", "the name of the map (default: the name of the image)"),
      OptionSpec("--attribution", value: "TEXT", "the credit that maps display"),
      OptionSpec(
        "--crs", value: "EPSG:N",
        "the reference system, such as EPSG:32610 (default: the image's own)"),
      OptionSpec(
        "--scale", value: "LOW,HIGH",
        "the values that become black and white, for more than 8 bits (default: the least and the greatest of the image)"
      ),
      .jobs, .json,
    ],
    examples: """
      chartpipe tile image.tif -o map.pmtiles
        tiles an image at the zooms of its resolution, as one file that a web map reads by range requests
      chartpipe tile image.tif -o map.mbtiles --zooms 5-14 --format png32 --name "Harbour"
        tiles it without loss of colour at ten zooms, for an app
      chartpipe tile elevation.tif -o relief.mbtiles --scale 0,4000
        shows values of 16 bits or floating point as grey, from black at 0 to white at 4000
      """)

  private let out: OutputFile
  private let kind: ArchiveKind
  private let request: RasterRequest
  private let jobs: Int

  init(_ arguments: ParsedArguments) throws {
    let image = URL(filePath: arguments.operands[0])
    let out = URL(filePath: arguments.value("--output") ?? "")
    guard let kind = ArchiveKind(rawValue: out.pathExtension.lowercased()) else {
      throw Self.usageError("--output must end in .mbtiles or .pmtiles, not \"\(out.lastPathComponent)\"")
    }
    self.out = try OutputFile(out, "--output", .archive(kind), inputs: [image])
    self.kind = kind
    request = try Self.request(image, arguments)
    jobs = try arguments.jobs()
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    let step = "tile \(request.file.lastPathComponent)"
    let progress = console.progress
    progress.report(.started(step: step))
    let summary = try out.make { scratch in
      guard kind == .pmtiles else { return try tile(to: scratch, progress, step) }
      let tiles = scratch.deletingPathExtension().appendingPathExtension("mbtiles")
      defer { try? FileManager.default.removeItem(at: tiles) }
      let summary = try naming(scratch, inPlaceOf: tiles) { try tile(to: tiles, progress, step) }
      _ = try PMTilesWriter.write(MBTilesReader(opening: tiles), isOwn: true, to: scratch) { done, total in
        try CancellationToken.current.check()
        progress.report(.advanced(step: step, done: done, total: total, unit: "tiles as PMTiles"))
      }
      return summary
    }
    let answer = TileAnswer(file: out.url.relativePath, kind: kind, bytes: out.url.byteCount ?? 0, summary)
    progress.report(.finished(step: step, detail: answer.detail))
    try console.result(answer, text: out.url.relativePath + "\n")
    return nil
  }

  private func naming<Result>(_ file: URL, inPlaceOf other: URL, _ body: () throws -> Result) throws -> Result
  {
    do {
      return try body()
    } catch let error as UserError where error.path == other.path {
      throw error.naming(file.path)
    }
  }

  private func tile(to scratch: URL, _ progress: any ProgressReporter, _ step: String) throws -> RasterSummary
  {
    try RasterBuilder.tile(request, to: scratch, jobs: jobs, progress: progress, step: step)
  }
}

extension TileCommand {
  private static func request(_ image: URL, _ arguments: ParsedArguments) throws -> RasterRequest {
    var request = RasterRequest(file: image)
    request.name = arguments.value("--name")
    request.attribution = arguments.value("--attribution") ?? ""
    request.system = arguments.value("--crs")
    request.zooms = try arguments.zooms("--zooms", upTo: RasterTiles.zoomLimit)
    request.format = try arguments.value("--format").map(format)
    if let size = try arguments.count("--size") {
      guard [256, 512].contains(size) else { throw usageError("--size takes 256 or 512, not \(size)") }
      request.size = size
    }
    if let quality = try arguments.count("--quality") {
      guard (50...100).contains(quality) else {
        throw usageError("--quality takes 50 to 100, not \(quality)")
      }
      request.quality = quality
    }
    request.range = try arguments.value("--scale").map(scale)
    return request
  }

  private static func format(_ text: String) throws -> TileSettings.Format {
    if let format = TileSettings.Format(rawValue: text) { return format }
    let names = TileSettings.Format.allCases.map(\.rawValue).joined(separator: ", ")
    throw usageError("--format takes one of \(names), not \"\(text)\"")
  }

  private static func scale(_ text: String) throws -> ClosedRange<Double> {
    let ends = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard ends.count == 2, let low = ends[0], let high = ends[1], low.isFinite, high.isFinite, low < high
    else {
      throw usageError("--scale takes two numbers, the smaller one first, such as 0,4000, not \"\(text)\"")
    }
    return low...high
  }
}

/// The result of `chartpipe tile --json`.
struct TileAnswer: Encodable {
  var file: String
  var kind: String
  var bytes: Int
  var tiles: Int
  var distinctTiles: Int
  var minZoom: Int
  var maxZoom: Int
  var format: String
  var tileSize: Int
  /// West, south, east and north.
  var bounds: [Double]
  /// The size of the image.
  var width: Int
  var height: Int

  init(file: String, kind: ArchiveKind, bytes: Int, _ summary: RasterSummary) {
    self.file = file
    self.kind = kind.rawValue
    self.bytes = bytes
    (tiles, distinctTiles) = (summary.archive.tiles, summary.archive.distinctTiles)
    (minZoom, maxZoom) = (summary.settings.minZoom, summary.settings.maxZoom)
    (format, tileSize) = (summary.settings.format.rawValue, summary.settings.size)
    bounds = [summary.bounds.west, summary.bounds.south, summary.bounds.east, summary.bounds.north]
    (width, height) = (summary.width, summary.height)
  }

  var detail: String {
    "\(Counts.of(tiles, "tile")) of zooms \(minZoom)-\(maxZoom), \(format), \(Counts.bytes(bytes))"
  }
}
