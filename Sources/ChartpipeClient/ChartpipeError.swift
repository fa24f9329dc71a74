public import Foundation

/// An error with the operation, the file, the reason and the next step.
public struct ChartpipeError: Error, Equatable, Sendable {
  /// The kinds of problems, for code that reacts to them.
  public enum Code: String, Sendable {
    /// The publisher's key did not sign this catalogue, or the signature is missing. Keep the files of the device.
    case signature
    /// The catalogue is older than one that the device accepted before. Keep the newer one.
    case replayed
    /// The catalogue has a format that this version cannot read: the app needs an update.
    case format
    /// A document or an argument does not conform to `docs/formats`.
    case invalid
    /// A file has the wrong size or hash.
    case integrity
    /// The server does not have the file. The publisher may have removed it: open the site again.
    case missing
    /// The network or the server failed, also after all attempts.
    case network
    /// A file could not be read or written, often since the disk is full.
    case disk
    /// Another download to the same file is under way.
    case busy
  }

  public let code: Code
  /// Such as `downloading blobs/48/48b0….mbtiles`.
  public let operation: String
  public let reason: String
  public let suggestion: String?

  init(_ code: Code, _ operation: String, _ reason: String, _ suggestion: String? = nil) {
    (self.code, self.operation, self.reason, self.suggestion) = (code, operation, reason, suggestion)
  }
}

extension ChartpipeError: LocalizedError, CustomStringConvertible {
  public var description: String { "\(operation): \(reason)." + (suggestion.map { " \($0)." } ?? "") }
  public var errorDescription: String? { description }
}
