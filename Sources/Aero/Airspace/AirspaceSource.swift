internal import Core
internal import Foundation

/// The files of one kind of airspace: inside the subscription, or in a separate zip or folder.
struct AirspaceSource {
  let container: SourceContainer
  let origin: TableSource
  private let file: SourceFile
  private let isSeparate: Bool

  /// The subscription has the XML in a zip in a zip.
  private static let deepestZip = 3

  /// Uses the separate source if there is one, else the subscription.
  ///
  /// - Parameter names: those of a separate file beside the subscription.
  init(
    _ separate: SourceFile?, named names: [String], else subscription: SourceContainer, of source: SourceFile,
    operation: String
  ) throws {
    let file = separate ?? source
    let beside = names.isEmpty ? "" : "put \(names.joined(separator: " or ")) beside the subscription, "
    let origin = TableSource(
      operation: operation, path: file.url.path,
      remedy: "Get it again from the FAA, \(beside)or take the key out of the definition.")
    (self.file, self.origin, isSeparate) = (file, origin, separate != nil)
    container =
      try separate.map { separate in
        try explaining({ origin.error("it cannot be opened: \($0)", causes: [$0]) }) {
          try SourceContainer(separate)
        }
      } ?? subscription
  }

  /// The path from which GDAL reads the shapefile as a stream, since it can be larger than the memory of a build. The other parts are
  /// beside it.
  func shapefile() throws -> String {
    let wanted = ClassAirspaceReader.file.lowercased()
    let shapes = container.members.filter { $0.fileName.lowercased() == wanted }
    guard let shape = shapes.first else { throw origin.error("it contains no \(ClassAirspaceReader.file)") }
    guard shapes.count == 1 else {
      throw origin.error(
        "it contains \(ClassAirspaceReader.file) \(shapes.count) times: \(shapes.map(\.name).joined(separator: ", "))"
      )
    }
    if file.isFolder { return file.url.appending(path: shape.name).path }
    return "/vsizip/{\(file.url.absoluteURL.path)}/\(shape.name)"
  }

  /// The XML files of special-use airspace, also inside nested zips, each name once, ordered by name.
  func xmlFiles() throws -> [(container: SourceContainer, member: SourceContainer.Member)] {
    let hasSpecialUse = container.members.contains { $0.isSpecialUse && $0.isZip }
    // The rest of the subscription contains other XML files.
    let all = try xmlFiles(in: container, depth: 0) { $0.isSpecialUse || (isSeparate && !hasSpecialUse) }
    guard !all.isEmpty else { throw origin.error("it contains no XML files of special-use airspace") }
    let byName = Dictionary(first: all.map { ($0.member.fileName, $0) })
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
    return try explaining({ origin.error("\(member.name) cannot be read: \($0)", causes: [$0]) }) {
      try container.read(member, limit: AIXMElement.mostBytes)
    }
  }

  private func open(
    _ member: SourceContainer.Member, in container: SourceContainer
  ) throws -> SourceContainer {
    return try explaining({ error in
      origin.error("the archive \(member.name) in it is damaged: \(error)", causes: [error])
    }) {
      try container.container(member, limit: SubscriptionArchive.mostArchiveBytes)
    }
  }
}

extension SourceContainer.Member {
  fileprivate var isZip: Bool { name.lowercased().hasSuffix(".zip") }
  fileprivate var isXML: Bool { name.lowercased().hasSuffix(".xml") }
  /// The FAA's name is special activity airspace.
  fileprivate var isSpecialUse: Bool { name.lowercased().contains("saa") }
}
