internal import Core
internal import Foundation
internal import Pipeline
internal import TileArchive

/// The files that a call of the validator means, each once, in the order in which they are told.
struct SubjectList {
  enum Kind {
    case archive
    case database
    case product
    /// A database in another program's schema.
    case airports
    /// A JSON document of one long array, one element a line.
    case lines

    /// Other JSON files are ours too, but are no product's, so they are told apart by how they begin.
    init?(_ file: URL) {
      let name = file.lastPathComponent
      if name.hasSuffix(".mbtiles") || name.hasSuffix(".pmtiles") {
        self = .archive
      } else if name.hasSuffix(".sqlite") {
        self = .database
      } else if name.hasSuffix(".product.json") {
        self = .product
      } else if name.hasSuffix(".db") {
        self = .airports
      } else if name.hasSuffix(".geojson") || LinesUnderTest.isIdentifiers(file) {
        self = .lines
      } else {
        return nil
      }
    }
  }

  struct Subject {
    let url: URL
    /// The path as it was given.
    let place: String
    let kind: Kind
    /// The id of the product that it belongs to; nil for a file that no description names.
    var product: String?
    /// That product's description.
    var description: URL?
  }

  private(set) var subjects: [Subject] = []
  private var seen: Set<String> = []
  /// The product of each file and its description, by path.
  private var owners: [String: (id: String, description: URL)] = [:]
  private static let doing = "validating"

  init(_ paths: [URL]) throws {
    defer { attribute() }
    for path in paths {
      guard let kind = path.kindOnDisk else {
        throw UserError(
          .badCall, operation: SubjectList.doing, path: path.relativePath,
          reason: "there is no such file or folder")
      }
      if kind == .folder {
        try add(folder: path)
      } else {
        try add(named: path)
      }
    }
  }

  /// A file of a folder may have been met before its description.
  private mutating func attribute() {
    for index in subjects.indices where subjects[index].product == nil {
      let owner = owners[subjects[index].url.standardizedFileURL.path]
      (subjects[index].product, subjects[index].description) = (owner?.id, owner?.description)
    }
  }

  private mutating func add(named file: URL) throws {
    guard let kind = Kind(file) ?? (ArchivePatch.isPatch(file) ? .archive : nil) else {
      throw UserError(
        .badCall, operation: SubjectList.doing, path: file.relativePath,
        reason: "this kind of file is not known",
        suggestion:
          "Give an .mbtiles, a .pmtiles, an .sqlite, a .db, a .geojson, a .product.json, or a folder of them."
      )
    }
    try add(Subject(url: file, place: file.relativePath, kind: kind))
  }

  private mutating func add(folder: URL) throws {
    let files = try SubjectList.files(in: folder, place: folder.relativePath.trimmingSuffix("/"))
    guard !files.isEmpty else {
      throw UserError(
        .badInput, operation: SubjectList.doing, path: folder.relativePath,
        reason: "there is no archive, database or product in this folder",
        suggestion: "Build something first, or give the folder that a build went to.")
    }
    for file in files { try add(file) }
  }

  /// A product brings its files with it: what is said of them is only worth as much as they are.
  private mutating func add(_ subject: Subject) throws {
    try SubjectList.expectPlain(subject.url, subject.place)
    guard seen.insert(subject.url.standardizedFileURL.path).inserted else { return }
    subjects.append(subject)
    guard subject.kind == .product,
      let product = try? ProductUnderTest(subject.url, place: subject.place)
    else { return }
    let owner = (product.product.id, subject.url)
    owners[subject.url.standardizedFileURL.path] = owner
    let folder = subject.place.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    for file in product.product.files {
      guard let url = product.url(of: file), FileManager.default.fileExists(atPath: url.path) else {
        continue
      }
      let place = (folder + [Substring(file.path)]).joined(separator: "/")
      try SubjectList.expectPlain(url, place)
      guard let kind = Kind(url) else { continue }
      owners[url.standardizedFileURL.path] = owner
      try add(Subject(url: url, place: place, kind: kind))
    }
  }

  private static func expectPlain(_ file: URL, _ place: String) throws {
    guard file.isRegularFile else {
      throw UserError(
        .badInput, operation: doing, path: place,
        reason: "it is no plain file, but a pipe, a device or a link to nothing",
        suggestion: "Put the file itself there, or take it away.")
    }
  }

  private static func files(in folder: URL, place: String) throws -> [Subject] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    } catch {
      throw UserError(
        .badInput, operation: doing, path: place, reason: "the folder cannot be read",
        suggestion: "Check its permissions.", causes: [error])
    }
    return try names.filter { !$0.hasPrefix(".") }.sorted().flatMap { name in
      let url = folder.appending(path: name)
      if try url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true {
        return try files(in: url, place: "\(place)/\(name)")
      }
      return Kind(url).map { [Subject(url: url, place: "\(place)/\(name)", kind: $0)] } ?? []
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    count > suffix.count && hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
