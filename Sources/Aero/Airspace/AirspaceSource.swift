internal import Core
internal import Fetch
internal import Foundation
internal import Pipeline

/// Where the files of one kind of airspace lie: inside the subscription, or in a zip or a folder of their own.
struct AirspaceSource: TableSource {
  let container: SourceContainer
  private let file: SourceFile
  private let doing: String
  private let isOwn: Bool
  /// Under which it would be found beside the subscription.
  private let names: [String]

  /// The FAA has the XML in a zip in a zip in the subscription.
  private static let deepestZip = 3

  /// The source of its own if there is one, else what the subscription holds.
  init(
    _ own: SourceFile?, named names: [String], else subscription: SourceContainer, of source: SourceFile,
    doing: String
  ) throws {
    self.doing = doing
    self.names = names
    isOwn = own != nil
    file = own ?? source
    guard let own else {
      container = subscription
      return
    }
    do {
      container = try SourceContainer(own)
    } catch {
      throw AirspaceSource.fault(doing, own, names, "it cannot be opened: \(error)", causes: [error])
    }
  }

  func fault(_ problem: String, causes: [any Error] = []) -> UserError {
    AirspaceSource.fault(doing, file, names, problem, causes: causes)
  }

  func fault(_ problem: String, remedy: String, causes: [any Error]) -> UserError {
    UserError(
      .badInput, operation: doing, path: file.url.path, reason: problem, suggestion: remedy, causes: causes)
  }

  private static func fault(
    _ doing: String, _ file: SourceFile, _ names: [String], _ problem: String, causes: [any Error] = []
  ) -> UserError {
    let beside = names.isEmpty ? "" : "put \(names.joined(separator: " or ")) beside the subscription, "
    return UserError(
      .badInput, operation: doing, path: file.url.path, reason: problem,
      suggestion: "Get it again from the FAA, \(beside)or take the key out of the definition.",
      causes: causes)
  }

  /// The path by which GDAL reads the shapefile, as a stream: it may be larger than all of the memory that a build takes.
  /// The other parts lie beside it.
  func shapefile() throws -> String {
    let wanted = ClassAirspaceReader.file.lowercased()
    let shapes = container.members.filter { $0.fileName.lowercased() == wanted }
    guard let shape = shapes.first else { throw fault("there is no \(ClassAirspaceReader.file) in it") }
    guard shapes.count == 1 else {
      throw fault(
        "\(ClassAirspaceReader.file) is there \(shapes.count) times: \(shapes.map(\.name).joined(separator: ", "))"
      )
    }
    if file.isFolder { return file.url.appending(path: shape.name).path }
    return "/vsizip/{\(file.url.absoluteURL.path)}/\(shape.name)"
  }

  /// The XML files of special-use airspace, each name once, in the order of their names; zips within zips are opened.
  func xmlFiles() throws -> [(container: SourceContainer, member: SourceContainer.Member)] {
    let hasSpecialUse = container.members.contains { $0.isSpecialUse && $0.isZip }
    // Beside that zip, and in the subscription at large, other things are XML too.
    let all = try xmlFiles(in: container, depth: 0) { $0.isSpecialUse || (isOwn && !hasSpecialUse) }
    guard !all.isEmpty else { throw fault("there are no XML files of special-use airspace in it") }
    let byName = Dictionary(all.map { ($0.member.fileName, $0) }) { first, _ in first }
    return byName.sorted { $0.key < $1.key }.map(\.value)
  }

  private func xmlFiles(
    in container: SourceContainer, depth: Int, isWanted: (SourceContainer.Member) -> Bool
  ) throws -> [(container: SourceContainer, member: SourceContainer.Member)] {
    let members = container.members.filter(isWanted)
    let inner = try members.filter { $0.isZip && depth < AirspaceSource.deepestZip }.flatMap { member in
      try xmlFiles(in: try open(member, in: container), depth: depth + 1) { _ in true }
    }
    return members.filter(\.isXML).map { (container, $0) } + inner
  }

  func read(_ member: SourceContainer.Member, in container: SourceContainer) throws -> [UInt8] {
    do {
      return try container.read(member, limit: XMLFeatures.mostBytes)
    } catch {
      throw fault("\(member.name) cannot be read: \(error)", causes: [error])
    }
  }

  private func open(_ member: SourceContainer.Member, in container: SourceContainer) throws -> SourceContainer
  {
    do {
      return try container.container(member, limit: SubscriptionArchive.mostArchiveBytes)
    } catch {
      throw fault("the archive \(member.name) in it is damaged: \(error)", causes: [error])
    }
  }
}

extension SourceContainer.Member {
  fileprivate var isZip: Bool { name.lowercased().hasSuffix(".zip") }
  fileprivate var isXML: Bool { name.lowercased().hasSuffix(".xml") }
  /// The FAA calls it special activity airspace.
  fileprivate var isSpecialUse: Bool { name.lowercased().contains("saa") }
}
