internal import Core
public import Foundation

/// What a file is by its first bytes, for errors about a file that is no tile archive.
public struct FileSignature: Equatable, Sendable {
  /// Such as "a zip archive".
  public let title: String
  /// What the user can do with it.
  public let suggestion: String?

  private static let convert = "Convert it with the tool `pmtiles` of its authors."
  private static let known: [(start: [UInt8], title: String, suggestion: String?)] = [
    ([0x1F, 0x8B], "gzip data", "Unpack it first, for example with gunzip."),
    ([0x50, 0x4B, 3, 4], "a zip archive", "Unpack it first, for example with unzip."),
    ([0x28, 0xB5, 0x2F, 0xFD], "zstd data", "Unpack it first, for example with unzstd."),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz data", "Unpack it first, for example with unxz."),
    ([0x42, 0x5A, 0x68], "bzip2 data", "Unpack it first, for example with bunzip2."),
    ([0x37, 0x7A, 0xBC, 0xAF], "a 7-Zip archive", "Unpack it first."),
    ([0x89, 0x50, 0x4E, 0x47], "a PNG image", nil), ([0xFF, 0xD8, 0xFF], "a JPEG image", nil),
    ([0x49, 0x49, 0x2A, 0], "a TIFF image", nil), ([0x4D, 0x4D, 0, 0x2A], "a TIFF image", nil),
    ([0x49, 0x49, 0x2B, 0], "a TIFF image", nil), (Array("%PDF".utf8), "a PDF document", nil),
    (Array("PM".utf8) + [1, 0], "PMTiles version 1; only version 3 is supported", convert),
    (Array("PM".utf8) + [2, 0], "PMTiles version 2; only version 3 is supported", convert),
    (
      Array("version https://git-lfs".utf8), "a pointer of Git LFS, not the file itself",
      "Get the file with `git lfs pull`."
    ),
    (Array("<".utf8), "an HTML or XML text, such as a server's error page", "Download it again."),
    (Array("{".utf8), "a JSON text", nil),
  ]

  /// Nil for an SQLite database, a PMTiles archive of a supported version, or a file that cannot be read.
  public init?(of url: URL) {
    if let kind = url.kindOnDisk, !url.isRegularFile {
      title = kind == .folder ? "a folder" : "a pipe, a socket or a device"
      suggestion = "Name an .mbtiles or .pmtiles file."
      return
    }
    guard ArchiveKind(contentsOf: url) == nil, let start = try? url.firstBytes(64) else { return nil }
    let text = start.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let known = FileSignature.known.first { start.starts(with: $0.start) || text.starts(with: $0.start) }
    if let known {
      (title, suggestion) = (known.title, known.suggestion)
    } else if start.isEmpty {
      (title, suggestion) = ("an empty file", "Download it again.")
    } else if start.count < 16 {
      (title, suggestion) = ("a file of \(Counts.of(start.count, "byte"))", "Download it again.")
    } else if start.allSatisfy({ $0 == 0 }) {
      (title, suggestion) = ("a file that begins with zeros, such as a failed download", "Download it again.")
    } else {
      (title, suggestion) = ("neither an SQLite database nor a PMTiles archive", nil)
    }
  }
}

extension URL {
  /// The first bytes of a regular file.
  func firstBytes(_ count: Int) throws -> [UInt8] {
    let handle = try FileHandle(forReadingRegularFile: self)
    defer { try? handle.close() }
    return Array(try handle.read(upToCount: count) ?? Data())
  }
}
