internal import Core
internal import Foundation
internal import HTTPIO
internal import Pipeline

/// Asks for a list page by page.
struct S3Listing {
  let connection: S3Connection
  /// What the keys begin with, within the target.
  let prefix: String
  let pageSize: Int

  func run() throws -> [ListedObject] {
    var found: [ListedObject] = []
    var token: String?
    repeat {
      let page = try page(after: token)
      found += page.objects
      if page.next != nil, page.next == token { throw unreadable() }
      token = page.next
    } while token != nil
    return found.sorted { $0.key < $1.key }
  }

  private var work: S3Work { S3Work(doing: "listing what is published", key: nil) }

  private func page(after token: String?) throws -> (objects: [ListedObject], next: String?) {
    var query: [(name: String, value: String)] = [
      ("list-type", "2"), ("max-keys", "\(pageSize)"), ("encoding-type", "url"),
      ("prefix", connection.target.root + prefix),
    ]
    if let token { query.append(("continuation-token", token)) }
    let answer = try connection.send(S3Request(method: .get, key: nil, query: query), for: work)
    guard answer.isGood else { throw connection.fault(answer, work) }
    guard let list = S3Element.read(answer.body), list.name == "ListBucketResult" else { throw unreadable() }
    let isEncoded = list["EncodingType"] == "url"
    let objects = try list.children.filter { $0.name == "Contents" }
      .compactMap { try object($0, isEncoded: isEncoded) }
    guard list["IsTruncated"] == "true" else { return (objects, nil) }
    guard let next = list["NextContinuationToken"], !next.isEmpty else { throw unreadable() }
    return (objects, next)
  }

  /// Nil for what lies elsewhere.
  private func object(_ entry: S3Element, isEncoded: Bool) throws -> ListedObject? {
    let text = entry["Key"] ?? ""
    let key = isEncoded ? text.replacing("+", with: " ").removingPercentEncoding : text
    guard let key, !key.isEmpty, let bytes = entry["Size"].flatMap({ Int($0) }), bytes >= 0 else {
      throw unreadable()
    }
    let root = connection.target.root
    return key.hasPrefix(root + prefix)
      ? ListedObject(key: String(key.dropFirst(root.count)), bytes: bytes) : nil
  }

  private func unreadable() -> UserError {
    UserError(
      .failed, operation: work.doing, path: connection.target.name,
      reason: "what the store gives is no list", suggestion: "Does it speak S3? Check --endpoint.")
  }
}
