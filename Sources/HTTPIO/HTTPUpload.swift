internal import Foundation

/// The body of a request, which libcurl draws piece by piece and may want again from the beginning.
final class HTTPUpload {
  private let body: HTTPRequest.Body
  private let file: FileHandle?
  private var done = 0

  init(_ body: HTTPRequest.Body) throws {
    self.body = body
    guard case .file(let url, let offset, _) = body else {
      file = nil
      return
    }
    let file = try FileHandle(forReadingFrom: url)
    try file.seek(toOffset: UInt64(offset))
    self.file = file
  }

  deinit { try? file?.close() }

  func read(into room: UnsafeMutableRawBufferPointer) throws -> Int {
    let count = min(room.count, body.count - done)
    guard count > 0 else { return 0 }
    switch body {
    case .bytes(let bytes):
      bytes.withUnsafeBytes {
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[done..<done + count]))
      }
      done += count
      return count
    case .file(let url, _, _):
      guard let piece = try file?.read(upToCount: count), !piece.isEmpty else {
        throw HTTPError(.unusable, "\(url.path) became shorter while it was sent")
      }
      piece.withUnsafeBytes { room.copyMemory(from: $0) }
      done += piece.count
      return piece.count
    }
  }

  func rewind(to offset: Int) -> Bool {
    guard (0...body.count).contains(offset) else { return false }
    if case .file(_, let start, _) = body {
      guard (try? file?.seek(toOffset: UInt64(start + offset))) != nil else { return false }
    }
    done = offset
    return true
  }
}
