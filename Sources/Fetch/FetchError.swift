internal import Core
internal import Foundation
internal import HTTPIO

/// The errors of a source that cannot be fetched. They distinguish a file that is not published yet, one that is no longer
/// published, and a network failure.
extension UserError {
  static func absent(
    _ file: RequiredFile, at address: String, folderExists: Bool, similarName: String?, now: Instant
  ) -> UserError {
    let similar = similarName.map { "; the folder has \($0)" } ?? ""
    guard let edition = file.edition else {
      return fetching(.badInput, address, "the server does not have it\(similar)", suggestion)
    }
    let day = edition.effectiveDay
    if now < edition.effective {
      return fetching(
        .badInput, address,
        folderExists
          ? "it is not published yet, though its folder exists\(similar): this edition takes effect on \(day)"
          : "it is not published yet: this edition takes effect on \(day)",
        "Charts are usually published three weeks before that day, the subscription four. Try again later.")
    }
    if edition.expires <= now {
      return fetching(
        .badInput, address,
        "it is no longer published: this edition was in force from \(day) to \(edition.expires.day)",
        "Name a mirror or a folder that still has it with --from.")
    }
    return fetching(
      .badInput, address, "the server does not have it, although this edition is in force\(similar)",
      suggestion)
  }

  /// Converts any error of a download.
  static func fetching(_ error: any Error, at url: String) -> UserError {
    let path = (error as? CocoaError)?.userInfo[NSFilePathErrorKey] as? String
    return switch error {
    case let error as UserError: error
    case let error as HTTPError: network(error, url)
    case let error as HTTPStatusError:
      fetching(
        error.isTransient ? .failed : .badInput, url, "\(error)",
        error.isTransient
          ? "Try again later: the bytes received so far are kept."
          : "Check the address, or name another place with --from.",
        causes: [error])
    default:
      fetching(
        .failed, url, error.fileErrorReason + (path.map { " (\($0))" } ?? ""),
        "Check the free space and the permissions of the work folder and the cache.",
        causes: [error])
    }
  }

  private static func network(_ error: HTTPError, _ url: String) -> UserError {
    switch error.kind {
    case .unreachable:
      fetching(
        .failed, url, "the server cannot be reached: \(error)",
        "Check the network and the proxy (https_proxy, no_proxy). The bytes received so far are kept.",
        causes: [error])
    case .timedOut, .brokenOff:
      fetching(
        .failed, url, "the connection broke off: \(error)",
        "Run the same command again: it resumes the download.", causes: [error])
    case .untrusted:
      fetching(
        .failed, url, "the server's certificate is not trusted: \(error)",
        "Check the clock and the system's certificates; a proxy may be in between.", causes: [error])
    case .cancelled, .unusable: fetching(.badInput, url, "\(error)", suggestion, causes: [error])
    }
  }

  private static let suggestion = "Check the address in the definition, or name another place with --from."

  static func fetching(
    _ kind: Kind, _ subject: String, _ problem: String, _ remedy: String, causes: [any Error] = []
  ) -> UserError {
    UserError(kind, operation: "fetching", path: subject, reason: problem, suggestion: remedy, causes: causes)
  }
}
