internal import Core
internal import Foundation

extension CommandSpec {
  static let pack = CommandSpec(
    name: "pack",
    summary: "Cuts one archive for a route or an area from charts, with the airports of that area.",
    operands: OperandSpec(
      name: "SITE OUT",
      help:
        "the folder or address of a site, a build folder, or one archive; and the .mbtiles or .pmtiles file to write",
      minimum: 2, maximum: 2, places: [.site, .path]),
    options: [
      OptionSpec(
        "--route", value: "POINTS",
        "airports, navaids, fixes or coordinates (37.46N122.11W, 37.46,-122.11), separated by spaces and connected by great circles"
      ),
      OptionSpec(
        "--width", value: "W",
        "the distance on each side of the route: 25nm gives a corridor of 50 NM; in nm, km or mi"),
      OptionSpec("--around", value: "POINT", "the centre of a circle"),
      OptionSpec("--radius", value: "R", "the radius of the circle, such as 40nm"),
      OptionSpec("--bbox", value: "W,S,E,N", "a box in degrees; W is larger than E across 180 degrees"),
      OptionSpec(
        "--zooms", value: "A-B", "only these zooms, such as 6-12 (default: all zooms of the charts)"),
      OptionSpec(
        "--charts", value: "ID,...",
        "a family, such as vfr-sectional, or charts by id (default: the family that covers most of the area)"),
      OptionSpec(
        "--at", value: "DATE", "the date of the flight, which determines the editions (default: now)"),
      OptionSpec(
        "--allow-expired",
        "use editions that are not in force, or a catalogue that has expired, with a warning"),
      OptionSpec("--allow-gaps", "allow a route that is partly outside the charts"),
      OptionSpec("--name", value: "TEXT", "the name of the pack (default: its route or area)"),
      OptionSpec(
        "--no-airports",
        "do not write airports; by default flight.mbtiles gets flight.airports.sqlite beside it"),
      OptionSpec("--dry-run", "only print charts, tiles and sizes"),
      OptionSpec(
        OptionSpec.publicKey.name, value: "KEY",
        "verify that this key signed the catalogue, and the hashes of files; parts of PMTiles read by range requests are not verified. A .pub file, or its second line"
      ),
      .cache, .jobs, .endpoint, .json,
    ],
    examples: """
      chartpipe pack work/site flight.mbtiles --route "KPAO KSQL" --width 5nm --at 2023-05-01
        packs 5 NM on each side of a route from the sample site, with its airports in flight.airports.sqlite
      chartpipe pack https://charts.example.org/vfr home.pmtiles --around KPAO --radius 40nm --zooms 6-11
        packs a circle from a published site; downloads only the tiles of the area from PMTiles
      chartpipe pack work/build/2612 islands.mbtiles --bbox 172,51,-176,54 --charts vfr-sectional --dry-run
        prints the contents and size of a pack for a box across 180 degrees
      """,
    action: runPack)
}

private func runPack(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let out = URL(filePath: arguments.operands[1])
  let kind = try arguments.archiveKind(out, "OUT")
  let archive = archiveFile(arguments.operands[0])
  let request = try packRequest(arguments, archive)
  guard request.publicKey == nil || archive == nil else {
    throw arguments.usageError("--public-key is for a site: a single archive has no signed catalogue")
  }
  let inputs = [archive].compactMap(\.self)
  _ = try OutputFile(out, "OUT", .archive(kind), inputs: inputs)
  if request.wantsAirports {
    _ = try OutputFile(airportsFile(of: out), "OUT", .airports, inputs: inputs)
  }
  // On the disk of the output.
  let scratch = out.deletingLastPathComponent().appending(path: ".\(UUID().uuidString).pack")
  try UserError.wrapping("writing", out.path) { try scratch.createFolder() }
  defer { try? FileManager.default.removeItem(at: scratch) }
  let isDryRun = arguments.has("--dry-run")
  let packer = try Packer(request, scratch: scratch, isDryRun: isDryRun, progress: console.progress)
  let answer = isDryRun ? PackAnswer(plan: packer.plan) : try write(packer, as: out, in: scratch, console)
  try console.result(answer, text: answer.text)
  return nil
}

private func write(_ packer: Packer, as out: URL, in scratch: URL, _ console: Console) throws -> PackAnswer {
  for note in packer.plan.notes { console.note("note: \(note)") }
  var answer = PackAnswer(plan: packer.plan)
  console.note(answer.forecast)
  let files = [out] + (packer.plan.airports == nil ? [] : [airportsFile(of: out)])
  let made = files.map { scratch.appending(path: $0.lastPathComponent) }
  let outcome = try packer.write(to: made[0], airports: made.dropFirst().first)
  for (made, final) in zip(made, files).reversed() { try DurableFile.publish(made, as: final) }
  (answer.file, answer.fileBytes) = (out.relativePath, out.byteCount ?? 0)
  answer.distinctTiles = outcome.distinctTiles
  (answer.airportsFile, answer.airportsBytes) = (
    files.dropFirst().first?.relativePath, files.dropFirst().first?.byteCount
  )
  return answer
}

private func packRequest(_ arguments: ParsedArguments, _ archive: URL?) throws -> PackRequest {
  let area = try packArea(arguments)
  let zooms = try arguments.zooms("--zooms", upTo: 24)
  let now = SystemClock.now
  return PackRequest(
    source: try archive.map(PackRequest.Source.archive) ?? .site(arguments.site(arguments.operands[0])),
    area: area, zooms: zooms, charts: try arguments.list("--charts") ?? [],
    time: try arguments.time("--at") ?? now, now: now, allowsExpired: arguments.has("--allow-expired"),
    allowsGaps: arguments.has("--allow-gaps"), wantsAirports: !arguments.has("--no-airports"),
    name: arguments.value("--name"),
    cache: SourceCache(named: arguments.value(OptionSpec.cache.name)).root.appending(path: "site"),
    jobs: try arguments.jobs(), publicKey: try arguments.publicKey())
}

/// `flight.airports.sqlite` beside `flight.mbtiles`
private func airportsFile(of out: URL) -> URL {
  out.deletingPathExtension().appendingPathExtension("airports.sqlite")
}

private func archiveFile(_ operand: String) -> URL? {
  let file = URL(filePath: operand)
  return !ParsedArguments.isAddress(operand) && file.kindOnDisk == .file ? file : nil
}

private func packArea(_ arguments: ParsedArguments) throws -> AreaText {
  let ways = ["--route", "--around", "--bbox"].filter { arguments.value($0) != nil }
  guard ways.count == 1 else {
    throw arguments.usageError(
      ways.isEmpty
        ? "--route, --around or --bbox is missing" : "\(ways.joined(separator: " and ")) exclude each other"
    )
  }
  for (option, owner) in [("--width", "--route"), ("--radius", "--around")] {
    let isGiven = arguments.value(option) != nil
    if isGiven != (ways[0] == owner) {
      throw arguments.usageError(
        isGiven ? "\(option) requires \(owner)" : "\(owner) needs \(option), such as \(option) 25nm")
    }
  }
  if let text = arguments.value("--route") { return .route(text, width: arguments.value("--width") ?? "") }
  if let text = arguments.value("--around") {
    return .around(text, radius: arguments.value("--radius") ?? "")
  }
  return .box(arguments.value("--bbox") ?? "")
}

/// The result of `chartpipe pack --json`: the contents of the pack, and its files after it is written.
struct PackAnswer: Encodable {
  var plan: PackPlan
  /// This and the following are nil for a dry run.
  var file: String?
  var fileBytes: Int?
  var distinctTiles: Int?
  var airportsFile: String?
  var airportsBytes: Int?

  /// One line that is printed before the work starts.
  var forecast: String {
    let download = plan.downloadBytes > 0 ? ", after a download of \(Counts.bytes(plan.downloadBytes))" : ""
    return
      "\(plan.name): \(Counts.of(plan.tiles, "tile")) of zooms \(zoomText), about \(Counts.bytes(plan.bytes))\(download)"
  }

  private var zoomText: String { "\(plan.zooms.first?.zoom ?? 0)-\(plan.zooms.last?.zoom ?? 0)" }

  var text: String {
    var lines = [file == nil ? forecast + (plan.isEstimate ? " (estimated)" : "") : written]
    lines += plan.points.map { point in
      "  point     \(point.name): \(point.kind), \(degrees(point.latitude)), \(degrees(point.longitude))"
    }
    lines += plan.charts.map { chart in
      let until = chart.expires.map { ", until \($0)" } ?? ""
      return "  chart     \(chart.id)\(chart.edition.map { ", edition of \($0)" } ?? "")\(until)"
    }
    lines += plan.zooms.map { zoom in
      "  zoom \(zoom.zoom < 10 ? " " : "")\(zoom.zoom)   \(Counts.of(zoom.tiles, "tile"))\(zoom.bytes.map { ", \(Counts.bytes($0))" } ?? "")"
    }
    if let airports = plan.airports {
      let place = airportsFile.map { ": \($0), \(Counts.bytes(airportsBytes ?? 0))" } ?? ""
      lines.append("  airports  \(Counts.grouped(airports))\(place)")
    }
    lines += plan.gaps.map { "  gap       \($0)" }
    if file == nil { lines += plan.notes.map { "  note      \($0)" } }
    return lines.joined(separator: "\n") + "\n"
  }

  private var written: String {
    "\(file ?? ""): \(plan.name), \(Counts.of(plan.tiles, "tile")), \(Counts.bytes(fileBytes ?? 0))"
  }

  private func degrees(_ number: Double) -> String { String(format: "%.5f", number) }
}
