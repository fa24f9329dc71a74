import Core
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
    let fault = #expect(throws: UserError.self) { try SourceFolder(folder.url).locate(["Denver_TAC.zip"]) }
    #expect(fault?.kind == .badInput)
    #expect(fault?.reason.contains("it is there 2 times") == true)
  }

  @Test func anotherSpellingIsFoundAndTheExactOnePreferred() throws {
    try Data().write(to: folder.file("denver-tac.zip"))
    let sources = try SourceFolder(folder.url)
    #expect(try sources.find("Denver_TAC.zip")?.lastPathComponent == "Denver_TAC.zip")
    #expect(try sources.find("denver-tac.zip")?.lastPathComponent == "denver-tac.zip")
    let fault = #expect(throws: UserError.self) { try sources.find("Denver TAC.zip") }
    #expect(fault?.reason.contains("denver-tac.zip, ") == true, "\(fault?.reason ?? "")")
    #expect(fault?.reason.contains("Denver_TAC.zip") == true, "\(fault?.reason ?? "")")
  }

  @Test func linksAreFollowedToFilesAndToFolders() throws {
    let links = try TemporaryFolder()
    let manager = FileManager.default
    let zip = folder.file("tac-files/Denver_TAC.zip")
    try manager.createSymbolicLink(at: links.file("Linked_TAC.zip"), withDestinationURL: zip)
    try manager.createSymbolicLink(at: links.file("downloads"), withDestinationURL: folder.url)
    try manager.createSymbolicLink(at: links.file("itself"), withDestinationURL: links.url)
    try manager.createSymbolicLink(at: links.file("Lost.zip"), withDestinationURL: links.file("nowhere"))
    let sources = try SourceFolder(links.url)
    #expect(try sources.locate(["Linked_TAC.zip"])?.bytes == 3)
    #expect(try sources.locate(["Denver_TAC.zip"])?.bytes == 3)
    #expect(try sources.locate(["Lost.zip"]) == nil)
    #expect(try SourceFolder(links.file("downloads")).locate(["Denver_TAC.zip"])?.bytes == 3)
  }

  @Test func aFolderThatIsNotThereIsABadCall() throws {
    let fault = #expect(throws: UserError.self) { try SourceFolder(folder.file("nowhere")) }
    #expect(fault?.kind == .badCall)
  }
}
