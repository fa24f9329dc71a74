internal import Core
internal import Foundation

/// A file that the user named for an output of a command.
///
/// The check runs before the work. It refuses to replace an input, and an existing file of another kind: a wrong name must not cost a
/// product, a database or a definition.
struct OutputFile: Sendable {
  let url: URL

  /// - Parameters:
  ///   - name: the option or operand, for errors.
  ///   - inputs: the files that the command reads.
  init(_ url: URL, _ name: String, _ content: OutputContent, inputs: [URL] = []) throws {
    self.url = url
    try check(inputs: inputs, name)
    // A rename would replace a folder, a device or a pipe by a file.
    let existing = url.resolvingSymlinksInPath()
    if existing.kindOnDisk != nil, !existing.isRegularFile {
      throw refusal("it exists and is not a regular file", suggestion: "Name a file.")
    }
    if existing.kindOnDisk == nil {
      try checkFolder()
    } else {
      try check(existing, name, content)
    }
  }

  private func checkFolder() throws {
    let folder = url.absoluteURL.deletingLastPathComponent()
    guard folder.kindOnDisk == .folder else {
      throw refusal(
        "\(folder.path): \(folder.missingFolderReason)",
        suggestion: "Create the folder, or name another file."
      )
    }
    try checkAccess(to: folder)
  }

  /// The file of an option; nil without that option.
  init?(
    _ option: String, of arguments: ParsedArguments, _ content: OutputContent, inputs: [URL] = []
  ) throws {
    guard let path = arguments.value(option) else { return nil }
    try self.init(URL(filePath: path), option, content, inputs: inputs)
  }

  /// Throws if the file is an input of the command.
  func check(inputs: [URL], _ name: String) throws {
    if inputs.contains(where: url.isSameFile) { throw refusal("\(name) would overwrite an input") }
  }

  private func check(_ existing: URL, _ name: String, _ content: OutputContent) throws {
    guard existing.byteCount ?? 0 == 0 || content.isKind(of: existing) else {
      throw refusal(
        "it exists and is not \(content.title)",
        suggestion: "Name another file with \(name), or delete this one.")
    }
    try checkAccess(to: content == .summary ? existing : existing.deletingLastPathComponent())
  }

  private func checkAccess(to place: URL) throws {
    guard access(place.path, W_OK) != 0 else { return }
    throw refusal(
      "\(place.path): \(String(cString: strerror(errno)))",
      suggestion: "Check the permissions, or name another file.")
  }

  private func refusal(_ reason: String, suggestion: String = "Name another file.") -> UserError {
    UserError(.badCall, operation: "writing", path: url.relativePath, reason: reason, suggestion: suggestion)
  }

  /// Writes the file completely or not at all.
  func write(_ data: Data) throws { try aside { try DurableFile.write(data, to: url, scratch: $0) } }

  /// Like `write`, for outputs that exceed memory: `make` writes a scratch file on the same disk, which is then renamed.
  func make<Result>(_ make: (_ scratch: URL) throws -> Result) throws -> Result {
    try aside { scratch in
      let result = try make(scratch)
      try DurableFile.publish(scratch, as: url)
      return result
    }
  }

  func append(_ text: String) throws {
    try UserError.wrapping("appending to", url.path, suggestion: "Name another file.") {
      if url.kindOnDisk == nil { try Data().write(to: url) }
      let handle = try FileHandle(forWritingTo: url)
      defer { try? handle.close() }
      try handle.seekToEnd()
      try handle.write(contentsOf: Data(text.utf8))
    }
  }

  private func aside<Result>(_ body: (_ scratch: URL) throws -> Result) throws -> Result {
    let place = ScratchPlace(beside: url)
    do {
      return try withExtendedLifetime(place) { try body(place.file) }
    } catch let error as UserError where error.path == place.file.path {
      throw error.naming(url.path)
    }
  }
}

extension ParsedArguments {
  /// The kind of archive that the name of an output asks for.
  func archiveKind(_ file: URL, _ name: String) throws -> ArchiveKind {
    if let kind = ArchiveKind(rawValue: file.pathExtension.lowercased()) { return kind }
    throw usageError("\(name) must end in .mbtiles or .pmtiles, not \"\(file.lastPathComponent)\"")
  }
}

/// What an output contains. Only a file of the same content may be replaced.
enum OutputContent: Equatable, Sendable {
  case page, picture, plan, state, metrics
  /// Text to which a command appends.
  case summary
  case archive(ArchiveKind)
  /// The airports of a pack.
  case airports

  var title: String {
    switch self {
    case .page: "an HTML page"
    case .picture: "a PNG image"
    case .plan: "a plan of chartpipe"
    case .state: "a state file of chartpipe"
    case .metrics: "a file of metrics"
    case .summary: "a text or Markdown file"
    case .archive(let kind): "a tile archive in \(kind.title)"
    case .airports: "an airports database"
    }
  }

  /// Recognizes an existing file by its bytes.
  func isKind(of file: URL) -> Bool {
    switch self {
    case .page: OutputContent.pageMarks.contains { text(file).lowercased().hasPrefix($0) }
    case .picture: start(file).starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    case .plan: ShardPlan.isPlan(file)
    // The command reads the file first, and refuses any other.
    case .state: true
    case .metrics: text(file).hasPrefix("# HELP ")
    case .summary: isProse(file)
    case .archive(let kind): ArchiveKind(contentsOf: file) == kind && isArchive(file)
    // The mark of the database in SQLite's header.
    case .airports: start(file).dropFirst(68).starts(with: Array("AVN1".utf8))
    }
  }

  private static let pageMarks = ["<!doctype html", "<html"]
  private static let proseExtensions = ["", "md", "markdown", "txt", "log", "out"]

  private func start(_ file: URL) -> [UInt8] { (try? file.firstBytes(4096)) ?? [] }

  private func text(_ file: URL) -> String {
    String(decoding: start(file), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func isArchive(_ file: URL) -> Bool {
    do {
      let archive = try ArchiveKind.open(file)
      _ = try (archive.metadata(), archive.anyTile())
      return true
    } catch {
      return false
    }
  }

  /// Whether a file is plain text or Markdown: by its name, and by its beginning neither JSON, markup nor a key.
  private func isProse(_ file: URL) -> Bool {
    // The last character may be cut off.
    let beginning = String(decoding: start(file).dropLast(3), as: UTF8.self)
    guard OutputContent.proseExtensions.contains(file.pathExtension.lowercased()),
      !beginning.contains("\0"), !beginning.contains("\u{FFFD}")
    else { return false }
    let marks = OutputContent.pageMarks + ["{", "[{", "[\n", "<?xml", "untrusted comment:", "-----begin"]
    return !marks.contains { text(file).lowercased().hasPrefix($0) }
  }
}
