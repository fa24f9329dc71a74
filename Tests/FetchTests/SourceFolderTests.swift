import CryptoIO
import Fetch
import Foundation
import Pipeline
import TestSupport
import Testing

@Suite struct SourceFolderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.file("tac-files"), withIntermediateDirectories: true)
    try Data("abc".utf8).write(to: folder.file("tac-files/Denver_TAC.zip"))
  }

  @Test func aFileIsFoundInASubfolderWhateverItsCapitals() throws {
    let found = try #require(try SourceFolder(folder.url).locate(["missing.zip", "denver_tac.ZIP"]))
    #expect(found.name == "Denver_TAC.zip")
    #expect(found.bytes == 3)
    #expect(found.sha256.text == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test func whatIsNotThereIsNil() throws {
    #expect(try SourceFolder(folder.url).locate(["Seattle_TAC.zip"]) == nil)
  }

  @Test func twoFilesOfOneNameAreAFault() throws {
    try Data().write(to: folder.file("Denver_TAC.zip"))
    let fault = #expect(throws: Fault.self) { try SourceFolder(folder.url).locate(["Denver_TAC.zip"]) }
    #expect(fault?.kind == .badInput)
    #expect(fault?.problem.contains("it is there 2 times") == true)
  }

  @Test func aFolderThatIsNotThereIsABadCall() throws {
    let fault = #expect(throws: Fault.self) { try SourceFolder(folder.file("nowhere")) }
    #expect(fault?.kind == .badCall)
  }
}
