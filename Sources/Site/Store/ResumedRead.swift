internal import HTTPIO

/// How far an object was read. After a broken connection, reading continues if the store still has the same version. Otherwise it starts
/// over, with a piece at offset 0.
struct ResumedRead {
  /// How many bytes were passed on.
  private(set) var offset = 0
  /// The largest offset of all attempts. A reading that starts over makes no progress until it is past this.
  private(set) var furthest = 0
  private var known = HTTPValidators()
  private var isOpen = false

  /// Begins an attempt: returns the header fields that request the rest of the same version. Without a validator the attempt could get
  /// another version, so it starts over.
  mutating func begin(_ condition: String, _ validator: KeyPath<HTTPValidators, String?>)
    -> [(name: String, value: String)]
  {
    isOpen = false
    guard offset > 0, let version = known[keyPath: validator] else {
      offset = 0
      return []
    }
    return [("Range", "bytes=\(offset)-"), (condition, version)]
  }

  /// Passes on a piece of a successful answer.
  mutating func take(
    _ piece: UnsafeRawBufferPointer, of answer: HTTPResponse, _ receive: PieceReceiver
  ) throws {
    if !isOpen { try open(answer) }
    try receive(piece, offset)
    offset += piece.count
    furthest = max(furthest, offset)
  }

  private mutating func open(_ answer: HTTPResponse) throws {
    let start = answer.firstByte
    guard start == 0 || start == offset else { throw restart("it sent another part than was requested") }
    if start > 0, !known.agree(with: answer) { throw restart("the file changed during the transfer") }
    (offset, known, isOpen) = (start, HTTPValidators(answer), true)
  }

  /// Forgets the version, so that the next attempt requests all bytes.
  mutating func restart(_ reason: String) -> HTTPError {
    known = HTTPValidators()
    return HTTPError(.brokenOff, reason)
  }
}

extension HTTPResponse {
  /// The offset of the first byte of its body; negative if it cannot be read. Some stores send a part with the status 200, so the header
  /// decides.
  var firstByte: Int {
    guard let range = headers["content-range"] else { return 0 }
    return range.firstMatch(of: /^bytes (\d{1,18})-/).flatMap { Int($0.1) } ?? -1
  }
}
