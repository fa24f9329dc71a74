internal import Core
internal import Foundation
internal import HTTPIO
internal import Pipeline

/// Why a source cannot be had: what is not there yet, what is not there any more, and a network that is down are three things.
enum FetchError {
  static func absent(_ file: WantedFile, _ sight: Absence, now: Instant) -> UserError {
    let near = sight.near.map { "; the folder has \($0)" } ?? ""
    guard let edition = file.edition else {
      return fault(.badInput, sight.address, "the server does not have it\(near)", FetchError.suggestion)
    }
    let day = edition.cycle.effectiveDay
    if now < edition.cycle.effective {
      return fault(
        .badInput, sight.address,
        sight.folderIsThere
          ? "it is not published yet, though its folder is there\(near): this edition takes effect on \(day)"
          : "it is not published yet: this edition takes effect on \(day)",
        "Charts are usually there some three weeks before that day, the subscription four. Try again later.")
    }
    if edition.expires <= now {
      return fault(
        .badInput, sight.address,
        "it is gone: this edition was in force from \(day) to \(edition.expires.day), and its publisher keeps no old ones",
        "Name a mirror or a folder that still has it with --from.")
    }
    return fault(
      .badInput, sight.address, "the server does not have it, although this edition is in force\(near)",
      suggestion)
  }

  struct Absence {
    var address: String
    var folderIsThere: Bool
    var near: String?
  }

  static func notInFolder(_ wish: SourceRequirement, _ folder: URL) -> UserError {
    fault(
      .badInput, wish.name, "it is not in \(folder.path)",
      "Name the folder that holds it with --from, or leave --from out to fetch it from its publisher.")
  }

  static func nowhere(_ wish: SourceRequirement) -> UserError {
    fault(
      .badInput, wish.name, "the definition does not say where it can be had from",
      "Name a mirror or a folder with --from, or give the definition its `url`.")
  }

  static func notLocked(_ path: String) -> UserError {
    fault(
      .refused, path, "the lock file does not name it",
      "Fetch once without --locked, look at what came, and keep the lock file.")
  }

  static func changed(_ url: String, since fetched: String) -> UserError {
    fault(
      .refused, url, "this is another file than the one the lock file names, which was had at \(fetched)",
      "Fetch without --locked to take the new one, or name a place that has the old one with --from.")
  }

  /// Of anything that a download may throw.
  static func of(_ error: any Error, at url: String) -> UserError {
    switch error {
    case let error as UserError: error
    case let error as HTTPError: network(error, url)
    case let error as HTTPStatusError:
      fault(
        error.isTransient ? .failed : .badInput, url, "\(error)",
        error.isTransient
          ? "Try again later: what came so far is kept."
          : "Look at the address, or name another place with --from.",
        causes: [error])
    default:
      fault(
        .failed, url, error.fileErrorReason + place(error),
        "Check the free space and the permissions of the work folder and the cache.",
        causes: [error])
    }
  }

  /// Which of our own folders or files it was.
  private static func place(_ error: any Error) -> String {
    let path = (error as? CocoaError)?.userInfo[NSFilePathErrorKey] as? String
    return path.map { " (\($0))" } ?? ""
  }

  private static func network(_ error: HTTPError, _ url: String) -> UserError {
    switch error.kind {
    case .unreachable:
      fault(
        .failed, url, "the server cannot be reached: \(error)",
        "Check the network and the proxy (https_proxy, no_proxy). What came so far is kept.", causes: [error])
    case .timedOut, .brokenOff:
      fault(
        .failed, url, "the connection broke off: \(error)",
        "Run the same command again: it goes on where this one ended.", causes: [error])
    case .untrusted:
      fault(
        .failed, url, "the server cannot be trusted: \(error)",
        "Check the clock and the system's certificates; a proxy may be in between.", causes: [error])
    case .cancelled, .unusable: fault(.badInput, url, "\(error)", suggestion, causes: [error])
    }
  }

  private static let suggestion = "Look at the address in the definition, or name another place with --from."

  private static func fault(
    _ kind: UserError.Kind, _ subject: String, _ problem: String, _ remedy: String, causes: [any Error] = []
  ) -> UserError {
    UserError(kind, operation: "fetching", path: subject, reason: problem, suggestion: remedy, causes: causes)
  }
}
