import Foundation
import Testing

@testable import HTTPIO

/// The requests and signatures are the examples of Amazon's documentation (Signature Version 4, "Authorization header").
struct RequestSignatureTests {
  private let keys = HTTPRequest.Signature(
    region: "us-east-1", key: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
  private let host = "https://examplebucket.s3.amazonaws.com"

  private func signature(_ request: HTTPRequest) throws -> String {
    let signature = RequestSignature(keys: keys, time: Date(timeIntervalSince1970: 1_369_353_600))
    let headers = try signature.headers(of: request)
    let value = try #require(headers.last?.value)
    return value.split(separator: "Signature=").last.map(String.init) ?? ""
  }

  private let empty = (
    name: "x-amz-content-sha256", value: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
  )

  @Test func `signs a request for a part of an object`() throws {
    let request = HTTPRequest(url: host + "/test.txt", [("Range", "bytes=0-9"), empty])
    #expect(try signature(request) == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
  }

  @Test func `signs an upload of an object whose name has an escaped character`() throws {
    let body = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"
    let request = HTTPRequest(
      .put, host + "/test%24file.text",
      headers: [
        ("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
        ("x-amz-content-sha256", body),
      ])
    #expect(try signature(request) == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
  }

  @Test func `signs a list with a query`() throws {
    let request = HTTPRequest(url: host + "/?max-keys=2&prefix=J", [empty])
    #expect(try signature(request) == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
  }

  @Test func `signs a query without a value, and the header of the host with its port`() throws {
    let lifecycle = HTTPRequest(url: host + "/?lifecycle=", [empty])
    #expect(try signature(lifecycle) == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
    let signature = RequestSignature(keys: keys, time: Date(timeIntervalSince1970: 0))
    let hosts = try ["http://127.0.0.1:9000/b", "http://h:80/b", "https://h:443/b", "https://[::1]:9000/b"]
      .map { url in try signature.headers(of: HTTPRequest(.get, url)).first { $0.name == "host" }?.value }
    #expect(hosts == ["127.0.0.1:9000", "h", "h", "[::1]:9000"])
  }
}

extension HTTPRequest {
  fileprivate init(url: String, _ headers: [(name: String, value: String)]) {
    self.init(.get, url, headers: headers)
  }
}
