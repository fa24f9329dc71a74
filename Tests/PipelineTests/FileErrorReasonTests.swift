import Core
import Foundation
import Pipeline
import TestSupport
import Testing

/// What the system says is told in its words, whichever call it came through.
@Suite struct FileErrorReasonTests {
  private struct Other: Error, CustomStringConvertible { let description = "the cat sat on it" }

  @Test(arguments: [
    (POSIXError(.EIO) as any Error, "Input/output error"),
    (NSError(domain: NSPOSIXErrorDomain, code: Int(EIO)), "Input/output error"),
    (CocoaError(.fileWriteOutOfSpace), "the disk is full"),
    (Other(), "the cat sat on it"),
  ])
  func aFewWordsAndNoCodes(error: any Error, words: String) { #expect(error.fileErrorReason == words) }

  @Test func aFileThatIsNotThere() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: (any Error).self) { try Data(contentsOf: folder.file("none")) }
    #expect(error?.fileErrorReason == "there is no such file or folder")
  }

  /// The part that was written would lie there for ever.
  @Test func aSmallFileThatCannotBePutInPlaceLeavesNoScratch() throws {
    let folder = try TemporaryFolder()
    let final = folder.file("taken")
    try FileManager.default.createDirectory(
      at: final.appending(path: "inside"), withIntermediateDirectories: true)
    #expect(throws: UserError.self) {
      try DurableFile.write(Data("new".utf8), to: final, scratch: folder.file("scratch"))
    }
    #expect(try files(below: folder.url).isEmpty)
  }
}
