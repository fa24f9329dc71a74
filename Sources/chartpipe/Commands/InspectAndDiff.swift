internal import Core
internal import Foundation
internal import ImageIO

extension CommandSpec {
  static let inspect = CommandSpec(
    name: "inspect", summary: "Prints the contents of a tile archive or a database.",
    operands: OperandSpec(name: "FILE", help: "an .mbtiles, .pmtiles or .sqlite file"),
    options: [OptionSpec("--image", value: "PNG", "also draw the chart, with its edges enlarged"), .json],
    examples: """
      chartpipe inspect work/build/2304/sample-nasr/aviation.sqlite
        prints its cycle, its tables and their row counts
      chartpipe inspect work/build/2304/sample-terminal/Sample_Bay.mbtiles --image Sample_Bay.png
        prints its zooms, and draws a picture for checking the cut
      """,
    action: runInspect)
}

private func runInspect(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let file = URL(filePath: arguments.operands[0])
  let picture = try OutputFile("--image", of: arguments, .picture, inputs: [file])
  let inspection = try FileInspection(of: file)
  let shown = try picture.map { try draw(inspection, of: file, to: $0, arguments) } ?? ""
  try console.result(inspection, text: inspection.text + shown)
  return nil
}

/// Returns what the picture shows.
private func draw(
  _ inspection: FileInspection, of file: URL, to picture: OutputFile, _ arguments: ParsedArguments
) throws -> String {
  guard inspection.kind != .sqlite else {
    throw arguments.usageError("--image draws tile archives, but \(inspection.file) is a database")
  }
  if let format = inspection.tileFormat, !["png", "webp"].contains(format) {
    throw arguments.usageError(
      "--image draws PNG and WebP tiles, but those of \(inspection.file) are \(format)")
  }
  let sheet = try ChartPictures.sheet(of: ArchiveKind.open(file))
  try picture.write(Data(PNG.encode(sheet.image)))
  return sheet.text
}

extension CommandSpec {
  static let diff = CommandSpec(
    name: "diff", summary: "Compares the databases of airports, obstacles or procedures of two cycles.",
    operands: OperandSpec(
      name: "OLD NEW", help: "a database such as aviation.sqlite, its .product.json, or its build folder",
      minimum: 2, maximum: 2),
    options: [
      OptionSpec("--html", value: "F", "write the changes to an HTML page, and print only the summary"),
      .json,
    ],
    examples: """
      chartpipe diff work/build/2611/nasr work/build/2612/nasr
        prints changed airports, runways, frequencies and more, the most important first; no moves below 15 cm
      chartpipe diff old.sqlite new.sqlite --html changes.html
        writes one searchable page, sorted by state, that opens from disk
      """,
    action: runDiff)
}

private func runDiff(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let operands = arguments.operands.map { URL(filePath: $0) }
  let page = try OutputFile("--html", of: arguments, .page, inputs: operands)
  let files = try operands.map(DatabaseFile.find)
  // An operand may be a folder or a product, so only now the databases are known.
  try page?.check(inputs: files, "--html")
  let difference = try DatabaseComparison.compare(files[0], with: files[1])
  try page?.write(DifferencePage(difference: difference).data)
  let summary = page.map { DifferenceText.summary(difference) + "\n" + $0.url.relativePath + "\n" }
  try console.result(difference, text: summary ?? DifferenceText.render(difference))
  return nil
}
