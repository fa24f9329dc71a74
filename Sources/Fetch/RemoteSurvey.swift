internal import Core
internal import Foundation
internal import HTTPIO

/// The result of looking up one required file: its location, or why it is unavailable.
struct LookupResult: Sendable {
  enum Location: Sendable {
    case remote(url: String, bytes: Int?)
    case local(URL)
    /// In the cycle's folder or the cache, as the lock names it.
    case stored(SourceLock.Entry)

    var isLocal: Bool { if case .local = self { true } else { false } }

    var address: String {
      switch self {
      case .remote(let url, _): url
      case .local(let file): file.path
      case .stored(let entry): entry.url
      }
    }
  }

  let requirement: SourceRequirement
  let path: String
  let location: Result<Location, Unavailable>

  var products: [String] { requirement.products }

  /// The size, where it is known. A listing may claim any size, so it is limited.
  var bytes: Int? {
    guard case .success(let location) = location else { return nil }
    return switch location {
    case .remote(_, let bytes): bytes.map { min($0, Transfers.limit) }
    case .local(let file): (try? file.resourceValues(forKeys: [.fileSizeKey]))?.fileSize
    case .stored(let entry): entry.bytes
    }
  }

  func failed(_ reason: Unavailable) -> FetchedSource {
    FetchedSource(
      path: path, state: reason.isMissing ? .missing : .failed, url: nil, error: reason.error,
      unreachableServer: reason.server, products: products)
  }
}

/// Why a file is unavailable.
struct Unavailable: Error {
  let error: UserError
  /// Whether the server or folder does not have it; otherwise an error occurred.
  let isMissing: Bool
  /// The server that cannot be reached; nil for any other reason.
  var server: String?

  static func missing(_ error: UserError) -> Unavailable { Unavailable(error: error, isMissing: true) }
  static func failed(_ error: any Error, at url: String) -> Unavailable {
    Unavailable(
      error: .fetching(error, at: url), isMissing: false,
      server: [.unreachable, .timedOut].contains((error as? HTTPError)?.kind) ? URL(string: url)?.host : nil)
  }
}

extension LookupResult {
  /// Returns the files of the first alternative that is complete, or why the first alternative is not.
  static func remote(
    _ requirement: SourceRequirement, from request: FetchRequest, _ survey: RemoteSurvey
  ) -> [LookupResult] {
    let error = UserError.fetching(
      .badInput, requirement.name, "the definition gives no address for it",
      "Name a mirror or a folder with --from, or give the definition its `url`.")
    return first(requirement, else: error) { file throws(Unavailable) in
      try location(of: file, from: request, survey)
    }
  }

  static func local(_ requirement: SourceRequirement, in sources: SourceFolder) -> [LookupResult] {
    let error = UserError.fetching(
      .badInput, requirement.name, "it is not in \(sources.root.path)",
      "Name the folder that holds it with --from, or leave --from out to fetch it from its publisher.")
    return first(requirement, else: error) { file throws(Unavailable) in
      try explaining({ Unavailable.failed($0, at: file.path) }) {
        try locate(file.path, in: sources).map(Location.local)
      }
    }
  }

  /// - Parameter location: returns nil for a file that this kind of origin cannot have.
  private static func first(
    _ requirement: SourceRequirement, else error: UserError,
    location: (RequiredFile) throws(Unavailable) -> Location?
  ) -> [LookupResult] {
    var reason: Unavailable?
    for files in requirement.alternatives {
      do throws(Unavailable) {
        var found: [LookupResult] = []
        for file in files {
          guard let location = try location(file) else { break }
          found.append(LookupResult(requirement: requirement, path: file.path, location: .success(location)))
        }
        if found.count == files.count { return found }
      } catch {
        reason = reason ?? error
        // A server that does not answer would fail for the other alternatives too, with a misleading reason.
        if !error.isMissing { break }
      }
    }
    return [
      LookupResult(
        requirement: requirement, path: requirement.name, location: .failure(reason ?? .missing(error)))
    ]
  }

  private static func location(
    of file: RequiredFile, from request: FetchRequest, _ survey: RemoteSurvey
  ) throws(Unavailable) -> Location? {
    var absent: UserError?
    for address in request.origin.addresses(of: file) {
      do {
        switch try survey.look(for: address) {
        case .available(let url, let bytes): return .remote(url: url, bytes: bytes)
        case .absent(let folderExists, let similarName):
          absent =
            absent
            ?? .absent(
              file, at: address, folderExists: folderExists, similarName: similarName, now: request.now)
        }
      } catch {
        throw .failed(error, at: address)
      }
    }
    if let absent { throw .missing(absent) }
    return nil
  }

  /// Finds a file of a folder within that folder only, since its own name may be a common one.
  private static func locate(_ path: String, in sources: SourceFolder) throws -> URL? {
    let parts = path.split(separator: "/").map(String.init)
    guard let first = parts.first, let start = try sources.find(first) else { return nil }
    let file = parts.dropFirst().reduce(start) { $0.appending(path: $1) }
    return file.isRegularFile ? file : nil
  }
}

/// Looks up files on servers without fetching them: in the listing of a folder, or by a `HEAD` request where there is no listing.
///
/// Requests are sent one after the other, and none twice.
final class RemoteSurvey {
  enum Answer: Equatable {
    case available(url: String, bytes: Int?)
    /// With the name in the folder that is most similar to the required one.
    case absent(folderExists: Bool, similarName: String? = nil)
  }

  private enum Folder {
    case listed(RemoteListing)
    /// It may exist, but the server does not list it.
    case unlisted
    case absent
  }

  /// Limits a server whose folders lead ever deeper.
  private static let mostFolders = 500

  private let client: HTTPClient
  private let retry: RetryPolicy
  private var folders: [String: Folder] = [:]
  /// Hosts that could not be reached. One time-out for each is enough.
  private var unreachable: [String: HTTPError] = [:]

  init(_ client: HTTPClient, retry: RetryPolicy) { (self.client, self.retry) = (client, retry) }

  func look(for address: String) throws -> Answer {
    let (above, name) = parts(address)
    let folder = try folder(above)
    if case .listed(let listing) = folder {
      if let entry = try listing.file(name) { return .available(url: entry.url, bytes: entry.bytes) }
      return .absent(folderExists: true, similarName: nearest(to: name, among: listing.fileNames))
    }
    let answer = try ask(HTTPRequest(.head, address)).response
    switch answer.status {
    case 200: return .available(url: address, bytes: answer.length)
    case 404, 410:
      if case .unlisted = folder { return .absent(folderExists: true) }
      return .absent(folderExists: false)
    // The server does not support `HEAD`; the download will show whether the file exists.
    case 405, 501: return .available(url: address, bytes: nil)
    default: throw HTTPStatusError(answer)
    }
  }

  private func folder(_ address: String) throws -> Folder {
    if let known = folders[address] { return known }
    guard folders.count < RemoteSurvey.mostFolders else { return .absent }
    folders[address] = .absent  // ends a cycle of redirections
    let found = try read(address)
    folders[address] = found
    return found
  }

  private func read(_ address: String) throws -> Folder {
    do {
      let (answer, body) = try ask(HTTPRequest(.get, address))
      switch answer.status {
      case 200: return RemoteListing(html: [UInt8](body), at: answer.url).map(Folder.listed) ?? .unlisted
      case 404, 410: return try otherSpelling(of: address).map(folder) ?? .absent
      default: return .unlisted
      }
    } catch let error as HTTPError where error.kind == .unusable {
      return .unlisted  // the answer is a large file, or redirects in a circle
    }
  }

  /// Returns the folder whose own or parent's name is spelled differently, as its parent lists it.
  private func otherSpelling(of address: String) throws -> String? {
    let (above, name) = parts(String(address.dropLast()))
    guard URL(string: above)?.host?.isEmpty == false, case .listed(let listing) = try folder(above) else {
      return nil
    }
    return try listing.folder(name).flatMap { $0.url == address ? nil : $0.url }
  }

  /// Splits an address after its last `/`, and decodes the name.
  private func parts(_ address: String) -> (above: String, name: String) {
    let end = address.lastIndex(of: "/").map { address.index(after: $0) } ?? address.startIndex
    let name = String(address[end...])
    return (String(address[..<end]), name.removingPercentEncoding ?? name)
  }

  private func ask(_ request: HTTPRequest) throws -> (response: HTTPResponse, body: Data) {
    let host = URL(string: request.url)?.host ?? ""
    if let error = unreachable[host] { throw error }
    do {
      return try retry.perform {
        let answer = try client.fetch(request, limit: RemoteListing.limit)
        let error = HTTPStatusError(answer.response)
        guard !error.isTransient else { throw error }
        return answer
      }
    } catch let error as HTTPError where error.isTransient {
      unreachable[host] = error
      throw error
    }
  }
}
