public import ArchiveIO
internal import Core
public import Foundation

/// A container of files: a zip archive, a zip archive inside another, or the folder of an unpacked one.
///
/// Files are read into memory one at a time; nothing is unpacked to disk.
public struct SourceContainer {
  public struct Member {
    /// The path inside, with `/` between its parts.
    public let name: String
    public let size: Int
    fileprivate let place: Place

    /// The last part of the name.
    public var fileName: String { name.split(separator: "/").last.map(String.init) ?? name }
    /// The file of a folder's member; nil in a zip archive.
    var file: URL? { if case .file(let url) = place { url } else { nil } }
  }

  fileprivate enum Place {
    case zipped(ZipArchive.Member)
    case file(URL)
  }

  /// Sorted by name.
  public let members: [Member]
  private let archive: ZipArchive?

  public init(_ source: SourceFile) throws {
    if source.isFolder {
      try self.init(folder: source.url)
    } else {
      self.init(zip: try ZipArchive(path: source.url.path))
    }
  }

  public init(zip: ZipArchive) {
    archive = zip
    members = zip.members.map { Member(name: $0.name, size: Int($0.size), place: .zipped($0)) }
      .sorted { $0.name < $1.name }
  }

  /// Lists all files below a folder, except hidden ones.
  public init(folder: URL) throws {
    archive = nil
    members = try SourceContainer.files(in: folder, below: "").sorted { $0.name < $1.name }
  }

  /// A container with a single file.
  public init(file: URL) throws {
    archive = nil
    let size = try file.resolvingSymlinksInPath().resourceValues(forKeys: [.fileSizeKey]).fileSize
    members = [Member(name: file.lastPathComponent, size: size ?? 0, place: .file(file))]
  }

  private static func files(in folder: URL, below prefix: String) throws -> [Member] {
    try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.isDirectoryKey, .fileSizeKey], options: .skipsHiddenFiles
    ).flatMap { url in
      let values = try url.resolvingSymlinksInPath().resourceValues(forKeys: [.isDirectoryKey, .fileSizeKey])
      let name = prefix + url.lastPathComponent
      if values.isDirectory == true { return try files(in: url, below: name + "/") }
      return [Member(name: name, size: values.fileSize ?? 0, place: .file(url))]
    }
  }

  /// The error for a member that exceeds the limit.
  public struct TooLarge: Error, CustomStringConvertible {
    let bytes: Int
    let limit: Int
    public var description: String {
      "its size is \(Counts.grouped(bytes)) bytes, more than the limit of \(Counts.grouped(limit))"
    }
  }

  /// - Parameter limit: the largest size to accept. The recorded size is checked before memory is allocated.
  public func read(_ member: Member, limit: Int = .max) throws -> [UInt8] {
    guard member.size <= limit else { throw TooLarge(bytes: member.size, limit: limit) }
    switch member.place {
    case .zipped(let zipped):
      guard let archive else { return [] }
      return try archive.read(zipped)
    case .file(let url): return [UInt8](try Data(contentsOf: url))
    }
  }

  /// Reads a large member in pieces. The bytes are valid only inside the closure.
  func read(_ member: Member, inPiecesOf size: Int, _ each: (UnsafeRawBufferPointer) throws -> Void) throws {
    switch member.place {
    case .zipped(let zipped): try archive?.read(zipped, inPiecesOf: size, each)
    case .file(let url):
      let file = try FileHandle(forReadingFrom: url)
      defer { try? file.close() }
      while let piece = try file.read(upToCount: size), !piece.isEmpty { try piece.withUnsafeBytes(each) }
    }
  }

  /// Opens a member that is a zip archive itself.
  public func container(_ member: Member, limit: Int = .max) throws -> SourceContainer {
    switch member.place {
    case .zipped: SourceContainer(zip: try ZipArchive(bytes: try read(member, limit: limit)))
    case .file(let url): SourceContainer(zip: try ZipArchive(path: url.path))
    }
  }
}
