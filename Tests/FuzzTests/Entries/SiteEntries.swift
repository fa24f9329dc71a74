import ChartpipeClient
import Foundation
import Pipeline
import TestSupport

@testable import Fetch
@testable import Preview
@testable import Site

/// What servers, clients and those who write definitions say.
enum SiteEntries {
  private struct Refused: Error {}

  static func catalog(_ bytes: [UInt8]) throws {
    let data = Data(bytes)
    if let catalog = try? ChartpipeClient.Catalog(json: data) {
      _ = catalog.currency(at: Date(timeIntervalSince1970: 1_800_000_000))
      let plan = DownloadPlan(for: catalog.products, on: DeviceFiles())
      _ = (plan.bytesToGet, plan.bytesThere)
    }
    _ = try? JSONDecoder().decode(Manifest.self, from: data).allFiles
    let catalogue = try PublishedCatalogue(data).catalogue
    _ = (catalogue.productFiles + catalogue.ownFiles).map(\.reference.trouble)
  }

  private static let key = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"

  static func signature(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    if let verifier = VerifyingKey(text) {
      _ = (verifier.line, verifier.name)
      return
    }
    guard let signature = MinisignSignature(text), let verifier = VerifyingKey(key) else { throw Refused() }
    _ = (signature.isAll(of: text), signature.keyName)
    try signature.verify(bytes, by: verifier)
  }

  static func s3(_ bytes: [UInt8]) throws {
    guard let answer = S3Element.read(Data(bytes)) else { throw Refused() }
    _ = answer["Contents"]
  }

  static func listing(_ bytes: [UInt8]) throws {
    let folder = "https://aeronav.faa.gov/visual/02-19-2026/sectional-files/"
    guard let listing = RemoteListing(html: bytes, at: folder) else { throw Refused() }
    _ = listing.fileNames
  }

  static func definition(_ bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    let file = folder.file("fuzz.json5")
    try Data(bytes).write(to: file)
    _ = try PipelineDefinition(contentsOf: file).items.map(\.id)
  }

  /// A browser's request, or that of a page which would like to be one.
  static func request(_ bytes: [UInt8]) throws {
    var inbox = Inbox()
    inbox.add(bytes)
    while case .whole(let head)? = inbox.take() { _ = try Route(Request(head: head).target) }
  }
}
