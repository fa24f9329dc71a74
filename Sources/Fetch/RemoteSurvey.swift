internal import Core
internal import Foundation
internal import HTTPIO
internal import Pipeline

/// A file that is to be brought, and where it was seen.
struct Prospect: Sendable {
  enum Place: Sendable {
    case remote(url: String, bytes: Int?)
    case local(URL)
    /// As the lock names it, in its place or in the cache.
    case kept(SourceLock.Entry)

    var isLocal: Bool {
      if case .local = self { true } else { false }
    }

    var address: String {
      switch self {
      case .remote(let url, _): url
      case .local(let file): file.path
      case .kept(let entry): entry.url
      }
    }
  }

  let wish: SourceRequirement
  let path: String
  let place: Result<Place, NotHad>

  init(_ wish: SourceRequirement, _ path: String, _ place: Result<Place, NotHad>) {
    (self.wish, self.path, self.place) = (wish, path, place)
  }

  var products: [String] { wish.items.map(\.product) }

  /// How many bytes it has, where that is known. A listing may say anything.
  var promised: Int? {
    guard case .success(let place) = place else { return nil }
    return switch place {
    case .remote(_, let bytes): bytes.map { min($0, Transfers.limit) }
    case .local(let file): (try? file.resourceValues(forKeys: [.fileSizeKey]))?.fileSize
    case .kept(let entry): entry.bytes
    }
  }

  func failed(_ why: NotHad) -> FetchedSource {
    FetchedSource(
      path: path, state: why.isAbsence ? .missing : .failed, url: nil, fault: why.fault, products: products)
  }
}

/// Why a file cannot be had.
struct NotHad: Error {
  let fault: UserError
  /// It is not there; else something went wrong.
  let isAbsence: Bool

  static func absent(_ fault: UserError) -> NotHad { NotHad(fault: fault, isAbsence: true) }
  static func failed(_ error: any Error, at url: String) -> NotHad {
    NotHad(fault: FetchError.of(error, at: url), isAbsence: false)
  }
}

extension Prospect {
  /// The first way of which all files are there; else why the first of them is not.
  static func remote(_ wish: SourceRequirement, from request: FetchRequest, _ survey: RemoteSurvey)
    -> [Prospect]
  {
    first(wish, else: FetchError.nowhere(wish)) { file throws(NotHad) in
      try place(of: file, from: request, survey)
    }
  }

  static func local(_ wish: SourceRequirement, in sources: SourceFolder) -> [Prospect] {
    first(wish, else: FetchError.notInFolder(wish, sources.root)) { file throws(NotHad) in
      do {
        return try locate(file.path, in: sources).map(Place.local)
      } catch {
        throw NotHad.failed(error, at: file.path)
      }
    }
  }

  /// - Parameter place: nil for a file that this kind of origin cannot have.
  private static func first(
    _ wish: SourceRequirement, else none: UserError, place: (WantedFile) throws(NotHad) -> Place?
  ) -> [Prospect] {
    var reason: NotHad?
    for way in wish.ways {
      do throws(NotHad) {
        var found: [Prospect] = []
        for file in way {
          guard let place = try place(file) else { break }
          found.append(Prospect(wish, file.path, .success(place)))
        }
        if found.count == way.count { return found }
      } catch {
        reason = reason ?? error
        // Another way is of no use when a server does not answer, and what it says then would hide that.
        if !error.isAbsence { break }
      }
    }
    return [Prospect(wish, wish.name, .failure(reason ?? .absent(none)))]
  }

  private static func place(
    of file: WantedFile, from request: FetchRequest, _ survey: RemoteSurvey
  ) throws(NotHad) -> Place? {
    var absence: FetchError.Absence?
    for address in request.origin.addresses(of: file) {
      do {
        switch try survey.look(for: address) {
        case .there(let url, let bytes): return .remote(url: url, bytes: bytes)
        case .absent(let folderIsThere, let near):
          absence = absence ?? .init(address: address, folderIsThere: folderIsThere, near: near)
        }
      } catch {
        throw .failed(error, at: address)
      }
    }
    guard let absence else { return nil }
    throw .absent(FetchError.absent(file, absence, now: request.now))
  }

  /// A file of a folder is looked for within that folder, since its own name may be a common one.
  private static func locate(_ path: String, in sources: SourceFolder) throws -> URL? {
    let parts = path.split(separator: "/").map(String.init)
    guard let first = parts.first, let start = try sources.find(first) else { return nil }
    let file = parts.dropFirst().reduce(start) { $0.appending(path: $1) }
    return file.isRegularFile ? file : nil
  }
}

/// Finds out what servers have, without fetching it: by the listing of a folder where there is one, else by asking for each file.
///
/// It asks one thing after the other, and nothing twice.
final class RemoteSurvey {
  enum Sight: Equatable {
    case there(url: String, bytes: Int?)
    /// Whether anything of its folder was seen, and the name in it that is most like the one wanted.
    case absent(folderIsThere: Bool, near: String?)
  }

  private enum Folder {
    case listed(RemoteListing)
    /// It may be there, but nobody says what is in it.
    case silent
    case absent
  }

  /// One that leads ever further ends here.
  private static let mostFolders = 500

  private let client: HTTPClient
  private let retry: RetryPolicy
  private var folders: [String: Folder] = [:]
  /// Hosts that could not be reached: to wait for each once is enough.
  private var lost: [String: HTTPError] = [:]

  init(_ client: HTTPClient, retry: RetryPolicy) {
    self.client = client
    self.retry = retry
  }

  func look(for address: String) throws -> Sight {
    let (above, name) = parts(address)
    let folder = try folder(above)
    if case .listed(let listing) = folder {
      if let entry = try listing.file(name) { return .there(url: entry.url, bytes: entry.bytes) }
      return .absent(folderIsThere: true, near: nearest(to: name, among: listing.fileNames))
    }
    let answer = try send(HTTPRequest(.head, address))
    switch answer.status {
    case 200: return .there(url: address, bytes: answer.length)
    case 404, 410:
      if case .silent = folder { return .absent(folderIsThere: true, near: nil) }
      return .absent(folderIsThere: false, near: nil)
    // It does not know the question; the download will tell.
    case 405, 501: return .there(url: address, bytes: nil)
    default: throw HTTPStatusError(answer)
    }
  }

  private func folder(_ address: String) throws -> Folder {
    if let known = folders[address] { return known }
    guard folders.count < RemoteSurvey.mostFolders else { return .absent }
    folders[address] = .absent  // a server that leads in a circle ends here
    let found = try read(address)
    folders[address] = found
    return found
  }

  private func read(_ address: String) throws -> Folder {
    do {
      let (answer, body) = try retrying(address) {
        let answered = try client.fetch(HTTPRequest(.get, address), limit: RemoteListing.limit)
        guard !HTTPStatusError(answered.response).isTransient else {
          throw HTTPStatusError(answered.response)
        }
        return answered
      }
      switch answer.status {
      case 200: return RemoteListing(html: [UInt8](body), at: answer.url).map(Folder.listed) ?? .silent
      case 404, 410: return try otherSpelling(of: address).map(folder) ?? .absent
      default: return .silent
      }
    } catch let error as HTTPError where error.kind == .unusable {
      return .silent  // a folder that is answered with a large file, or in a circle
    }
  }

  /// The folder of this name in another spelling, or below one in another spelling, as the folder above lists it.
  private func otherSpelling(of address: String) throws -> String? {
    let (above, name) = parts(String(address.dropLast()))
    guard URL(string: above)?.host?.isEmpty == false, case .listed(let listing) = try folder(above) else {
      return nil
    }
    return try listing.folder(name).flatMap { $0.url == address ? nil : $0.url }
  }

  /// What is before and with the last `/`, and what comes after it as a name.
  private func parts(_ address: String) -> (above: String, name: String) {
    let end = address.lastIndex(of: "/").map { address.index(after: $0) } ?? address.startIndex
    let name = String(address[end...])
    return (String(address[..<end]), name.removingPercentEncoding ?? name)
  }

  private func send(_ request: HTTPRequest) throws -> HTTPResponse {
    try retrying(request.url) {
      let answer = try client.send(request)
      guard !HTTPStatusError(answer).isTransient else { throw HTTPStatusError(answer) }
      return answer
    }
  }

  private func retrying<Value>(_ address: String, _ attempt: () throws -> Value) throws -> Value {
    let host = URL(string: address)?.host ?? ""
    if let error = lost[host] { throw error }
    do {
      return try retry.perform(attempt)
    } catch let error as HTTPError where error.isTransient {
      lost[host] = error
      throw error
    }
  }
}
