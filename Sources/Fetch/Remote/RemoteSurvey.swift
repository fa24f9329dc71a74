internal import Core
internal import Foundation
internal import HTTPIO
internal import Pipeline

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
        guard !HTTPStatusError(answered.answer).mayPass else { throw HTTPStatusError(answered.answer) }
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

  private func send(_ request: HTTPRequest) throws -> HTTPAnswer {
    try retrying(request.url) {
      let answer = try client.send(request)
      guard !HTTPStatusError(answer).mayPass else { throw HTTPStatusError(answer) }
      return answer
    }
  }

  private func retrying<Value>(_ address: String, _ attempt: () throws -> Value) throws -> Value {
    let host = URL(string: address)?.host ?? ""
    if let error = lost[host] { throw error }
    do {
      return try retry.perform(attempt)
    } catch let error as HTTPError where error.mayPass {
      lost[host] = error
      throw error
    }
  }
}
