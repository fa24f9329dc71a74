internal import Foundation

/// An error for the user: the operation that failed, its file, the reason and the next step.
///
/// Every module throws it. The command line prints it and maps its kind to the exit code.
public struct UserError: Error, Equatable, Codable, Sendable {
  /// The raw value is the exit code.
  public enum Kind: Int32, Codable, Sendable {
    case failed = 1
    case badCall = 2
    case badInput = 3
    case refused = 4
    case partlyDone = 5
    /// Not a failure: `due` found that no cycle is due.
    case nothingToDo = 6
    /// 128 + SIGINT, as in shells.
    case interrupted = 130
  }

  public let kind: Kind
  /// Such as "reading the chart".
  public let operation: String
  /// The file, the address or the argument that the operation concerned.
  public private(set) var path: String?
  public let reason: String
  public let suggestion: String?
  /// The underlying errors, outermost first. The command line prints them with `--verbose`.
  public let causes: [String]

  /// Removes passwords and tokens from addresses in all texts, since a user may have typed them, and control characters, since a file or
  /// a server may have sent them.
  public init(
    _ kind: Kind, operation: String, path: String? = nil, reason: String, suggestion: String? = nil,
    causes: [any Error] = []
  ) {
    self.kind = kind
    self.operation = operation
    self.path = path?.safe
    self.reason = reason.safe
    self.suggestion = suggestion?.safe
    self.causes = causes.map { String(describing: $0).safe }
  }

  /// The same error about another path, such as the file that the user named in place of a scratch file.
  public func naming(_ path: String) -> UserError {
    var error = self
    error.path = path.safe
    return error
  }

  /// The error without its suggestion, on one line.
  public var line: String { "\(operation)\(path.map { " \($0)" } ?? ""): \(reason)" }

  /// The error, and its suggestion on a second line.
  public var message: String { line + (suggestion.map { "\n  \($0)" } ?? "") }

  /// One line for each cause.
  public var causeLines: String { causes.map { "  because: \($0)\n" }.joined() }
}

extension UserError: CustomStringConvertible {
  public var description: String { message }
}

extension String {
  fileprivate var safe: String { withoutPasswords.withoutControls }

  /// The text without control characters, which could change what a terminal shows. Line ends and tabs stay.
  public var withoutControls: String {
    let isShown = { (scalar: Unicode.Scalar) in
      scalar.properties.generalCategory != .control || "\n\t".unicodeScalars.contains(scalar)
    }
    return unicodeScalars.allSatisfy(isShown)
      ? self : String(String.UnicodeScalarView(unicodeScalars.filter(isShown)))
  }

  /// The text without user names, passwords and the values of queries in its addresses, even in a malformed address such as
  /// `https:/user@host`. Any value may be a token: each provider gives it another name.
  public var withoutPasswords: String {
    guard contains(where: { "@?".contains($0) }) else { return self }
    return replacing(/(?i)([a-z][a-z0-9+.-]*(?::|%3A)\/\/|(?:https?|ftp|s3):\/)[^\/\s]*@/) { "\($0.1)…@" }
      .replacing(/(\?[^\s?&=]+=|&[^\s?&=]+=)[^\s&"'<>`]+/) { "\($0.1)…" }
  }
}

extension Error {
  /// The system's reason why a file could not be read or written, in a few words. Foundation's messages are long and contain codes.
  public var fileErrorReason: String {
    if let error = self as? POSIXError { return String(cString: strerror(error.code.rawValue)) }
    // The calls of a file handle throw plain NSErrors.
    let plain = self as NSError
    if plain.domain == NSPOSIXErrorDomain {
      return String(cString: strerror(Int32(truncatingIfNeeded: plain.code)))
    }
    guard let error = self as? CocoaError else { return "\(self)" }
    switch error.code {
    case .fileWriteOutOfSpace: return "the disk is full"
    case .fileWriteNoPermission, .fileReadNoPermission: return "permission is denied"
    case .fileNoSuchFile, .fileReadNoSuchFile: return "there is no such file or folder"
    case .fileWriteFileExists: return "a file of that name is in the way"
    case .fileWriteVolumeReadOnly: return "the file system is read-only"
    default: break
    }
    return error.underlying?.fileErrorReason ?? error.localizedDescription
  }

  /// The file that Foundation could not read or write; nil for other errors.
  fileprivate var fileErrorPath: String? {
    guard let error = self as? CocoaError else { return nil }
    return error.filePath ?? error.url?.path
  }
}

extension UserError {
  /// An error that no operation expected. A file error of Foundation names its file.
  public init(unexpected error: any Error) {
    let path = error.fileErrorPath
    self.init(
      .failed, operation: path == nil ? "working" : "reading or writing", path: path,
      reason: error.fileErrorReason,
      suggestion: path == nil
        ? nil : "Check that the file exists, and its permissions. Then run the command again.",
      causes: [error])
  }
}

/// Runs `body`, and replaces its error by what `explanation` makes of it.
public func explaining<Value, Explained: Error>(
  _ explanation: (any Error) -> Explained, _ body: () throws -> Value
) throws(Explained) -> Value {
  do { return try body() } catch { throw explanation(error) }
}

extension UserError {
  /// Runs an operation on a file, and replaces its error by one for the user, except for those that need no explanation.
  ///
  /// - Parameter reason: Nil for the system's reason.
  public static func wrapping<Value>(
    _ operation: String, _ path: String, _ reason: String? = nil, kind: Kind = .failed,
    suggestion: String = "Check the folder's permissions and the free space.", _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let error where error is UserError || error is CancellationError {
      throw error
    } catch {
      throw UserError(
        kind, operation: operation, path: path, reason: reason ?? error.fileErrorReason,
        suggestion: suggestion, causes: [error])
    }
  }
}
