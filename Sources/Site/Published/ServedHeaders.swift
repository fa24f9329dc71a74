internal import HTTPIO

/// What a server says of a file, as far as clients and caches go by it.
struct ServedHeaders: Equatable, Sendable {
  var contentType: String?
  var cacheControl: String?
  /// Whether it tells how much is to come.
  var isSized = true
}

extension ServedHeaders {
  init(_ answer: HTTPAnswer) {
    self.init(
      contentType: answer.headers["content-type"], cacheControl: answer.headers["cache-control"],
      isSized: answer.length != nil)
  }

  /// `application/json` of `application/json; charset=utf-8`.
  var mediaType: String? {
    contentType?.split(separator: ";").first.map { $0.filter { !$0.isWhitespace }.lowercased() }
  }

  /// Whether no cache asks again.
  var isImmutable: Bool { directives.contains("immutable") }

  /// Whether every cache asks again within an hour.
  var isShortLived: Bool {
    if directives.contains("no-cache") || directives.contains("no-store") { return true }
    let ages = directives.filter { $0.hasPrefix("max-age=") || $0.hasPrefix("s-maxage=") }
      .map { $0.split(separator: "=").last.flatMap { Int($0) } ?? .max }
    return !ages.isEmpty && ages.allSatisfy { $0 <= 3600 } && !isImmutable
  }

  private var directives: [String] {
    (cacheControl ?? "").split(separator: ",").map { $0.filter { !$0.isWhitespace }.lowercased() }
  }
}

extension HTTPAnswer {
  /// Whether its body goes on where earlier bytes ended.
  func begins(at count: Int) -> Bool {
    status == 206 && headers["content-range"]?.hasPrefix("bytes \(count)-") == true
  }
}
