import Foundation
import Testing

/// Feeds the fuzzer's seeds and findings to the same entries.
@Suite struct CorpusTests {
  private static let corpus = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")

  /// A trap here ends all tests, which is not overlooked.
  @Test(arguments: FuzzEntry.allCases)
  func `survives every stored input`(entry: FuzzEntry) throws {
    let folder = CorpusTests.corpus.appending(path: entry.rawValue)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    var accepted = 0
    for name in names {
      let bytes = [UInt8](try Data(contentsOf: folder.appending(path: name)))
      if name.hasPrefix("good") {
        #expect(throws: Never.self, "\(name)") { try entry.feed(bytes) }
        accepted += 1
      } else {
        try? entry.feed(bytes)
      }
    }
    #expect(accepted > 0, "a fuzzer that starts from nothing good finds nothing deep")
  }
}
