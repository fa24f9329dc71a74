internal import Core
internal import Foundation
internal import HTTPIO

/// The errors of a source that cannot be fetched. They distinguish a file that is not published yet, one that is no longer
/// published, and a network failure.
enum FetchError {
  static func absent(
    _ file: RequiredFile, at address: String, _ absence: RemoteSurvey.Absence, now: Instant
  ) -> UserError {
    let similar = absence.similarName.map { "; the folder has \($0)" } ?? ""
    guard let edition = file.edition else {
      return userError(.badInput, address, "the server does not have it\(similar)", suggestion)
    }
    let day = edition.effectiveDay
    if now < edition.effective {
      return userError(
        .badInput, address,
        absence.folderExists
          ? "it is not published yet, though its folder exists\(similar): this edition takes effect on \(day)"
          : "it is not published yet: this edition takes effect on \(day)",
        "Charts are usually published three weeks before that day, the subscription four. Try again later.")
    }
    if edition.expires <= now {
      return userError(
        .badInput, address,
        "it is no longer published: this edition was in force from \(day) to \(edition.expires.day)",
        "Name a mirror or a folder that still has it with --from.")
    }
    return userError(
      .badInput, address, "the server does not have it, although this edition is in force\(similar)",
      suggestion)
  }

  static func notInFolder(_ requirement: SourceRequirement, _ folder: URL) -> UserError {
    userError(
      .badInput, requirement.name, "it is not in \(folder.path)",
      "Name the folder that holds it with --from, or leave --from out to fetch it from its publisher.")
  }

  static func noAddress(_ requirement: SourceRequirement) -> UserError {
    userError(
      .badInput, requirement.name, "the definition gives no address for it",
      "Name a mirror or a folder with --from, or give the definition its `url`.")
  }

  static func notLocked(_ path: String) -> UserError {
    userError(
      .refused, path, "the lock file does not name it",
      "Fetch once without --locked, check the files, and keep the lock file.")
  }

  static func changed(_ url: String, since fetched: String) -> UserError {
    userError(
      .refused, url, "this is not the file that the lock file names, which was fetched at \(fetched)",
      "Fetch without --locked to use the new file, or name a place that has the old one with --from.")
  }

  /// Converts any error of a download.
  static func of(_ error: any Error, at url: String) -> UserError {
    switch error {
    case let error as UserError: error
    case let error as HTTPError: network(error, url)
    case let error as HTTPStatusError:
      userError(
        error.isTransient ? .failed : .badInput, url, "\(error)",
        error.isTransient
          ? "Try again later: the bytes received so far are kept."
          : "Check the address, or name another place with --from.",
        causes: [error])
    default:
      userError(
        .failed, url, error.fileErrorReason + localPath(of: error),
        "Check the free space and the permissions of the work folder and the cache.",
        causes: [error])
    }
  }

  private static func localPath(of error: any Error) -> String {
    let path = (error as? CocoaError)?.userInfo[NSFilePathErrorKey] as? String
    return path.map { " (\($0))" } ?? ""
  }

  private static func network(_ error: HTTPError, _ url: String) -> UserError {
    switch error.kind {
    case .unreachable:
      userError(
        .failed, url, "the server cannot be reached: \(error)",
        "Check the network and the proxy (https_proxy, no_proxy). The bytes received so far are kept.",
        causes: [error])
    case .timedOut, .brokenOff:
      userError(
        .failed, url, "the connection broke off: \(error)",
        "Run the same command again: it resumes the download.", causes: [error])
    case .untrusted:
      userError(
        .failed, url, "the server's certificate is not trusted: \(error)",
        "Check the clock and the system's certificates; a proxy may be in between.", causes: [error])
    case .cancelled, .unusable: userError(.badInput, url, "\(error)", suggestion, causes: [error])
    }
  }

  private static let suggestion = "Check the address in the definition, or name another place with --from."

  private static func userError(
    _ kind: UserError.Kind, _ subject: String, _ problem: String, _ remedy: String, causes: [any Error] = []
  ) -> UserError {
    UserError(kind, operation: "fetching", path: subject, reason: problem, suggestion: remedy, causes: causes)
  }
}
