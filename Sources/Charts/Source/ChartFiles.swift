internal import ArchiveIO
public import Core
internal import Foundation
internal import RasterIO

/// A chart's image and its metadata page. Members of a zip are inflated to memory, never to disk.
struct ChartFiles {
  /// The zip, or the bare tif.
  let path: String
  let tifName: String
  /// Where GDAL reads the image, and the memory into which it is inflated; nil for a bare tif.
  let tif: (path: String, memory: MemoryFile?)
  let htmName: String
  let htm: [UInt8]
  /// The world file, if one exists.
  let world: (name: String, bytes: [UInt8])?
  let records: [Product.Source]
  /// The day on which the image in the zip was written.
  var written: CalendarDay?

  /// Returns an error about one file of the source.
  func userError(_ name: String, _ problem: String, remedy: String? = nil, causes: [any Error] = [])
    -> UserError
  {
    let isBare = path.hasSuffix(name)
    return UserError(
      .badInput, operation: "reading the chart", path: isBare ? path : "\(path) (\(name))", reason: problem,
      suggestion: remedy ?? ChartFiles.downloadAgain, causes: causes)
  }

  static let downloadAgain = "Download the chart again from the FAA."

  private static func unknownType(_ url: URL, _ start: [UInt8]) -> UserError {
    let problem =
      start.isEmpty
      ? "the file is empty"
      : start.first == UInt8(ascii: "<")
        ? "this is a web page, neither a zip archive nor a GeoTIFF; the server gave it in place of the chart"
        : "this is neither a zip archive nor a GeoTIFF"
    return UserError(
      .badInput, operation: "reading the chart", path: url.path, reason: problem, suggestion: downloadAgain)
  }

  private static func reading(
    _ url: URL, _ suggestion: String, _ body: () throws -> [UInt8]
  ) throws -> [UInt8] {
    try UserError.wrapping(
      "reading the chart", url.path, "the file cannot be read", kind: .badInput, suggestion: suggestion, body)
  }
}

extension ChartFiles {
  /// The first bytes of TIFF and BigTIFF, in both byte orders.
  private static let tifStarts: [[UInt8]] = [
    [0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A], [0x49, 0x49, 0x2B, 0], [0x4D, 0x4D, 0, 0x2B],
  ]

  /// Detects the type of the source by its first bytes, not by its name.
  init(_ source: SourceFile, tifName: String) throws {
    let url = source.url
    let start = try ChartFiles.reading(url, "Check that it exists and that you may read it.") {
      try url.firstBytes(4)
    }
    if start.starts(with: Array("PK".utf8)) {
      try self.init(zip: source, tifName: tifName)
    } else if ChartFiles.tifStarts.contains(start) {
      try self.init(bareTif: source)
    } else {
      throw ChartFiles.unknownType(url, start)
    }
  }

  /// The image is inflated to memory. The largest sheets have 200 MB; members far beyond that are rejected.
  private static let limits: ZipArchive.Limits = {
    var limits = ZipArchive.Limits()
    limits.memberBytes = 1 << 30
    return limits
  }()

  private init(zip source: SourceFile, tifName: String) throws {
    let path = source.url.path
    do {
      let archive = try ZipArchive(path: path, limits: ChartFiles.limits)
      let tif = try ChartFiles.member(tifName, of: archive, path)
      let htm = try ChartFiles.member(beside: tifName, ChartFiles.pages, of: archive, path)
      let world = try ChartFiles.worldFile(of: tifName, in: archive, path)
      let memory = try MemoryFile(byteCount: Int(tif.size), extension: "tif") {
        try archive.read(tif, into: $0)
      }
      self.init(
        path: path, tifName: tif.fileName, tif: (memory.path, memory),
        htmName: htm.fileName, htm: try archive.read(htm),
        world: try world.map { ($0.fileName, try archive.read($0)) }, records: [source.record],
        written: CalendarDay(compact: String(tif.day)))
    } catch let error as ZipError {
      throw UserError(
        .badInput, operation: "reading the chart", path: path,
        reason: "the zip archive cannot be used: \(error)", suggestion: ChartFiles.downloadAgain,
        causes: [error]
      )
    }
  }

  /// Opens a bare tif. The page must be beside it, since only the page states the edition.
  private init(bareTif source: SourceFile) throws {
    let folder = source.url.deletingLastPathComponent()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    guard let htmName = try ChartFiles.name(ChartFiles.pages, of: names, beside: source) else {
      let wanted = ChartFiles.stem(source.name) + ChartFiles.pages[0]
      throw UserError(
        .badInput, operation: "reading the chart", path: source.url.path,
        reason: "\"\(wanted)\" is missing beside it, so nothing states the edition of this image",
        suggestion: "Put the \"\(wanted)\" of the FAA's zip in the same folder, or give the zip itself.")
    }
    let page = try SourceFolder.file(folder.appending(path: htmName))
    let worldName = try ChartFiles.name(ChartFiles.worldFiles, of: names, beside: source)
    let world = try worldName.map { try SourceFolder.file(folder.appending(path: $0)) }
    self.init(
      path: source.url.path, tifName: source.name,
      tif: (source.url.path, nil), htmName: htmName, htm: try ChartFiles.contents(page.url),
      world: try world.map { ($0.name, try ChartFiles.contents($0.url)) },
      records: [source, world, page].compactMap { $0?.record })
  }

  /// Finds a file beside a bare tif by the ends of its name, in any spelling. Returns nil if there is none.
  private static func name(_ ends: [String], of names: [String], beside source: SourceFile) throws -> String?
  {
    for wanted in ends.map({ stem(source.name) + $0 }) {
      let matches = PublishedName.matches(wanted, among: names) { $0 }
      guard matches.count <= 1 else {
        throw UserError(
          .badInput, operation: "reading the chart", path: source.url.path,
          reason: "beside it lie \(list(matches)), and each could be \"\(wanted)\"",
          suggestion: "Keep the one of this image and remove the others.")
      }
      if let match = matches.first { return match }
    }
    return nil
  }

  private static func contents(_ url: URL) throws -> [UInt8] {
    try reading(url, "Check that you may read it.") { [UInt8](try Data(contentsOf: url)) }
  }

  /// Finds a member by its exact path, or else by its file name in any folder and any spelling that `PublishedName` allows.
  private static func member(
    _ name: String, of archive: ZipArchive, _ path: String
  ) throws -> ZipArchive.Member {
    if let exact = archive.member(named: name) { return exact }
    let matches = PublishedName.matches(name, among: archive.members, by: \.fileName)
    if let match = matches.first, matches.count == 1 { return match }
    let present = list(archive.members.map(\.name).sorted().prefix(8))
    throw UserError(
      .badInput, operation: "reading the chart", path: path,
      reason: matches.isEmpty
        ? "the zip holds no \"\(name)\"; it holds \(present.isEmpty ? "nothing" : present)"
        : "the zip holds \(list(matches.map(\.name))), and each could be \"\(name)\"",
      suggestion: name.hasSuffix(".htm")
        ? "Download it again, or give the bare .tif with its .htm beside it."
        : "Download it again; if the FAA renamed the image, correct `tif` in the definition.")
  }

  /// The ends of the page's name after that of the image, and those of the world file's. Enroute charts have the second ones.
  static let pages = [".htm", "_tif.htm"]
  static let worldFiles = [".tfw", ".tfwx"]

  /// Finds the member whose name is that of the image with one of some ends.
  private static func member(
    beside tifName: String, _ ends: [String], of archive: ZipArchive, _ path: String
  ) throws -> ZipArchive.Member {
    let names = ends.map { stem(tifName) + $0 }
    let present = names.first { !PublishedName.matches($0, among: archive.members, by: \.fileName).isEmpty }
    return try member(present ?? names[0], of: archive, path)
  }

  /// Returns nil for a zip without a world file, which is not an error.
  private static func worldFile(
    of tifName: String, in archive: ZipArchive, _ path: String
  ) throws -> ZipArchive.Member? {
    let isThere = worldFiles.contains {
      !PublishedName.matches(stem(tifName) + $0, among: archive.members, by: \.fileName).isEmpty
    }
    return isThere ? try member(beside: tifName, worldFiles, of: archive, path) : nil
  }

  private static func list(_ names: some Sequence<String>) -> String {
    names.map { "\"\($0)\"" }.joined(separator: ", ")
  }

  static func stem(_ name: String) -> String {
    name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }
}

/// Checks a zip of charts right after its download.
public enum ChartZip {
  /// Throws if a page in the zip states another edition. The build checks pages that cannot be read here, if it needs them.
  public static func checkEdition(_ source: SourceFile, _ family: ChartFamily, _ cycle: AiracCycle) throws {
    let archive = try ZipArchive(path: source.url.path)
    let wanted = Set(
      family.charts.flatMap { chart in
        ChartFiles.pages.map { PublishedName.key(ChartFiles.stem(chart.tif) + $0) }
      })
    for member in archive.members where wanted.contains(PublishedName.key(member.fileName)) {
      guard let page = try? ChartPage(htm: archive.read(member)),
        let other = page.otherEdition(than: cycle, family)
      else { continue }
      throw UserError(
        .badInput, operation: "reading the chart", path: "\(source.url.path) (\(member.fileName))",
        reason: "\(member.fileName): \(other.problem)", suggestion: other.remedy)
    }
  }
}
