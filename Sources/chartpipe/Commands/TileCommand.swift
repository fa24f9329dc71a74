internal import Core
internal import Foundation

extension CommandSpec {
  static let tile = CommandSpec(
    name: "tile", summary: "Tiles a georeferenced image as MBTiles or PMTiles.",
    operands: OperandSpec(name: "IMAGE", help: "a GeoTIFF or another image that GDAL reads"),
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
      """,
    action: runTile)
}

private func runTile(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let image = URL(filePath: arguments.operands[0])
  let target = URL(filePath: arguments.value("--output") ?? "")
  let kind = try arguments.archiveKind(target, "--output")
  let out = try OutputFile(target, "--output", .archive(kind), inputs: [image])
  let request = try rasterRequest(image, arguments)
  let jobs = try arguments.jobs()
  let step = "tile \(image.lastPathComponent)"
  let progress = console.progress
  func tile(to file: URL) throws -> RasterSummary {
    try RasterBuilder.tile(request, to: file, jobs: jobs, progress: progress, step: step)
  }
  progress.report(.started(step: step))
  let summary = try out.make { scratch in
    guard kind == .pmtiles else { return try tile(to: scratch) }
    let tiles = scratch.deletingPathExtension().appendingPathExtension("mbtiles")
    defer { try? FileManager.default.removeItem(at: tiles) }
    let summary: RasterSummary
    do {
      summary = try tile(to: tiles)
    } catch let error as UserError where error.path == tiles.path {
      throw error.naming(scratch.path)
    }
    _ = try PMTilesWriter.write(
      MBTilesReader(opening: tiles), isOwn: true, to: scratch,
      advanced: progress.advance(step, "tiles as PMTiles"))
    return summary
  }
  var answer = ArchiveAnswer(out, kind, summary.archive)
  let (settings, bounds) = (summary.settings, summary.bounds)
  (answer.minZoom, answer.maxZoom) = (settings.minZoom, settings.maxZoom)
  (answer.format, answer.tileSize) = (settings.format.rawValue, settings.size)
  answer.bounds = [bounds.west, bounds.south, bounds.east, bounds.north]
  (answer.width, answer.height) = (summary.width, summary.height)
  let zooms = "\(settings.minZoom)-\(settings.maxZoom), \(settings.format.rawValue)"
  let detail = "\(Counts.of(answer.tiles, "tile")) of zooms \(zooms), \(Counts.bytes(answer.bytes))"
  progress.finish(step, detail)
  try console.result(answer, text: answer.file + "\n")
  return nil
}

private func rasterRequest(_ image: URL, _ arguments: ParsedArguments) throws -> RasterRequest {
  var request = RasterRequest(file: image)
  request.name = arguments.value("--name")
  request.attribution = arguments.value("--attribution") ?? ""
  request.system = arguments.value("--crs")
  request.zooms = try arguments.zooms("--zooms", upTo: RasterTiles.zoomLimit)
  let formats = TileSettings.Format.allCases.map(\.rawValue).joined(separator: ", ")
  request.format = try arguments.value("--format", as: "one of \(formats)", TileSettings.Format.init)
  let size = try arguments.value("--size", as: "256 or 512") { ["256": 256, "512": 512][$0] }
  request.size = size ?? request.size
  request.quality = try arguments.count("--quality", in: 50...100) ?? request.quality
  request.range = try arguments.value(
    "--scale", as: "two numbers, the smaller one first, such as 0,4000"
  ) { text in
    let ends = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard ends.count == 2, let low = ends[0], let high = ends[1], low.isFinite, high.isFinite, low < high
    else { return nil }
    return low...high
  }
  return request
}
