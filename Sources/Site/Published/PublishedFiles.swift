internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline

/// What is published, as a client gets it: by path.
///
/// Its methods may be called from several threads at once. They throw `Unreadable` when something is the matter with one file,
/// and a `UserError` when nothing can be said of any, such as without a network.
protocol PublishedFiles: Sendable {
  /// As people call it: `/srv/charts`, `https://charts.example.org/vfr`.
  var name: String { get }
  /// What is known of a file without its bytes; nil where there is none.
  func look(_ path: String) throws -> PublishedFile?
  /// All of a file that is small; nil where there is none.
  func data(_ path: String, limit: Int) throws -> PublishedData?
  /// Reads a file that may be large, and hashes it; nil where there is none.
  func fingerprint(_ path: String, limit: Int, _ advance: (Int) throws -> Void) throws -> PublishedFile?
  /// The same, and the bytes come into a file. What an earlier call left of it need not come again.
  func copy(_ path: String, to file: URL, limit: Int, _ advance: (Int) throws -> Void) throws
    -> PublishedFile?
  /// Whether `part` may give anything.
  var servesParts: Bool { get }
  /// Some bytes of a file; nil where only whole files can be read.
  func part(_ path: String, _ range: Range<Int>) throws -> Data?
}

extension PublishedFiles {
  var servesParts: Bool { false }
  func part(_ path: String, _ range: Range<Int>) throws -> Data? { nil }
}

/// What is known of a published file.
struct PublishedFile: Equatable, Sendable {
  /// Nil where a server does not tell.
  var bytes: Int?
  /// Nil when it was not read.
  var sha256: SHA256Hex?
  /// Nil where no server said anything.
  var headers: ServedHeaders?
}

struct PublishedData: Sendable {
  var data: Data
  var headers: ServedHeaders?
}

/// Why one file cannot be used, in words that follow its name.
struct Unreadable: Error, Equatable {
  let problem: String
  let isAbsent: Bool

  init(_ problem: String, isAbsent: Bool = false) {
    self.problem = problem
    self.isAbsent = isAbsent
  }

  /// What is not there may have been replaced while it was asked for.
  static func absent(_ what: String = "it") -> Unreadable {
    Unreadable("\(what) is not there", isAbsent: true)
  }

  static func tooLarge(_ limit: Int) -> Unreadable {
    Unreadable("it has more than \(Counts.grouped(limit)) bytes")
  }
}
