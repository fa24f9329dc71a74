internal import Core
internal import Foundation
internal import HTTPIO

/// Failures of servers, reported once for each server: a dead network fails every file for the same reason.
enum ServerFailures {
  /// Returns the server if the error means that it cannot be reached; nil for any other error.
  static func server(of error: any Error, at url: String) -> String? {
    guard let kind = (error as? HTTPError)?.kind, kind == .unreachable || kind == .timedOut else {
      return nil
    }
    return URL(string: url)?.host
  }

  /// Reports one failure for each server, and a single failing file by its name.
  ///
  /// - Returns: the sources, with the server only where it failed several files.
  static func reported(_ sources: [FetchedSource], _ progress: any ProgressReporter) -> [FetchedSource] {
    let counts = Dictionary(sources.compactMap(\.unreachableServer).map { ($0, 1) }, uniquingKeysWith: +)
    var seen: Set<String> = []
    return sources.map { source in
      guard let server = source.unreachableServer, let error = source.error else { return source }
      let count = counts[server] ?? 0
      guard count > 1 else {
        progress.report(.failed(step: source.path, fault: error))
        var single = source
        single.unreachableServer = nil
        return single
      }
      if seen.insert(server).inserted {
        let fault = UserError(
          error.kind, operation: "fetching \(Counts.of(count, "source")) from", path: server,
          reason: error.reason, suggestion: error.suggestion)
        progress.report(.failed(step: server, fault: fault))
      }
      return source
    }
  }
}
