internal import ArchiveIO
internal import Core
internal import Foundation
internal import Pipeline

/// Whether what a server gave is what it should be: all of an archive whose members are right, and no page about an error.
struct SourceCheck {
  let file: URL
  /// As people know it.
  let url: String
  /// The bytes that a listing promised.
  let promised: Int?

  func run() throws {
    let size = try FileHandle(forReadingFrom: file).seekToEnd()
    let start = try FileHandle(forReadingFrom: file).read(upToCount: 512) ?? Data()
    guard !start.isEmpty else { throw fault("it is empty") }
    if isPage(start) { throw fault("this is a web page, which the server gave in place of the file") }
    guard url.lowercased().hasSuffix(".zip") else { return }
    do {
      try readAll()
    } catch {
      throw fault(verdict(size: Int(size), error), causes: [error])
    }
  }

  /// Each member's CRC is compared when its end is reached.
  private func readAll() throws {
    let archive = try ZipArchive(path: file.path)
    guard !archive.members.isEmpty else { throw ZipError.library("nothing is in it") }
    for member in archive.members where member.size > 0 {
      try archive.read(member, inPiecesOf: 1 << 18) { _ in }
    }
  }

  private func verdict(size: Int, _ error: any Error) -> String {
    if SourceCheck.cutSizes.contains(size) {
      return "it is cut short at exactly \(Counts.grouped(size)) bytes, as copies in web archives are"
    }
    if let promised, size < promised {
      return
        "it is cut short: \(Counts.grouped(size)) bytes came, the folder's listing says \(Counts.grouped(promised))"
    }
    return "the zip archive is cut short or damaged: \(error)"
  }

  /// At which archives of the web are known to end large files.
  private static let cutSizes = [1_048_576, 5_242_880]

  private func isPage(_ start: Data) -> Bool {
    let text = String(decoding: start, as: UTF8.self).lowercased()
    return text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.hasPrefix("<")
      && ["<!doctype html", "<html", "<head", "<body"].contains { text.contains($0) }
  }

  private func fault(_ problem: String, causes: [any Error] = []) -> UserError {
    UserError(
      .badInput, operation: "fetching", path: url, reason: problem,
      suggestion: "Nothing of it is kept. Try again later, or name another place with --from.", causes: causes
    )
  }
}
