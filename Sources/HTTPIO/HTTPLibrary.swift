internal import CCurl
internal import Foundation

extension HTTPClient {
  /// What speaks for us, such as `libcurl 7.88.1 with OpenSSL/3.0.17`; an error where it could not ask a server with https.
  public static func library() throws(HTTPError) -> String {
    guard isReady, let facts = chartpipe_curl_facts()?.pointee else {
      throw HTTPError(.unusable, "libcurl cannot start")
    }
    let version = String(cString: facts.version)
    guard let secure = facts.ssl_version else {
      throw HTTPError(.unusable, "libcurl \(version) was built without https")
    }
    // Of these one is enough; a small machine or image may have neither.
    let places = [facts.cainfo, facts.capath].compactMap(\.self).map { String(cString: $0) }
    guard places.isEmpty || places.contains(where: holdsCertificates) else {
      throw HTTPError(
        .unusable,
        "libcurl \(version) finds no certificates in \(places.joined(separator: " or ")): install ca-certificates"
      )
    }
    return "libcurl \(version) with \(String(cString: secure))"
  }

  private static func holdsCertificates(_ place: String) -> Bool {
    let names = try? FileManager.default.contentsOfDirectory(atPath: place)
    return names.map { !$0.isEmpty } ?? FileManager.default.fileExists(atPath: place)
  }
}
