internal import Core
public import Foundation

/// A product, and the folder that the paths of its files are relative to: a build folder, or a site's root.
public struct PlacedProduct: Sendable {
  public var product: Product
  public var folder: URL
  /// Its description in a build folder; nil in a site, whose manifest describes it.
  public var description: URL?

  public init(_ product: Product, in folder: URL) { (self.product, self.folder) = (product, folder) }

  init(_ product: Product, describedBy file: URL) {
    (self.product, folder, description) = (product, file.deletingLastPathComponent(), file)
  }

  var id: String { product.id }
  /// The number of its tile archives.
  var archives: Int { product.files.count { [.tiles, .pmtiles].contains($0.role) } }
  /// Where a file that the product names is.
  func url(of file: Product.File) -> URL { folder.appending(path: file.path) }
}

/// The files of products in some places, each once: a description comes before the files that it names.
public struct ProductScan {
  public static let descriptionSuffix = ".product.json"

  enum Kind {
    case archive
    case database
    /// A product's description.
    case product
    /// A database in another program's schema.
    case airports
    /// A JSON document of one long array, one element a line.
    case lines

    private static let endings: [String: Kind] = [
      ".mbtiles": .archive, ".pmtiles": .archive, ".sqlite": .database, descriptionSuffix: .product,
      ".db": .airports, ".geojson": .lines,
    ]
    /// Other JSON files belong to builds too, so a document is recognized by its first line.
    init?(_ file: URL) {
      let name = file.lastPathComponent.lowercased()
      if let ending = Kind.endings.first(where: { name.hasSuffix($0.key) }) {
        self = ending.value
      } else if LinesUnderTest.isIdentifiers(file) {
        self = .lines
      } else {
        return nil
      }
    }
  }

  struct File: Sendable {
    let url: URL
    /// The path as the user gave it.
    let place: String
    let kind: Kind
    /// The product that it belongs to; nil for a file that no description names.
    var owner: PlacedProduct?
  }

  private(set) var files: [File] = []
  private var seen: Set<String> = []
  /// By path.
  private var owners: [String: PlacedProduct] = [:]

  /// Finds the files in folders, and files that are named themselves.
  ///
  /// - Throws: an error for a place that does not exist, or for a folder without any file of a product unless `allowsEmpty`.
  init(_ places: [URL], allowsEmpty: Bool = false) throws {
    for place in places {
      guard let kind = place.kindOnDisk else {
        throw ProductScan.error(
          .badCall, place.relativePath, "there is no such file or folder", "Name a build folder.")
      }
      if kind == .folder {
        try add(folder: place, allowsEmpty)
      } else {
        try add(named: place)
      }
    }
    // A file of a folder may come before its description.
    for index in files.indices where files[index].owner == nil {
      files[index].owner = owners[files[index].url.standardizedFileURL.path]
    }
  }

  private mutating func add(named file: URL) throws {
    guard let kind = Kind(file) else {
      throw ProductScan.error(
        .badCall, file.relativePath, "this kind of file is not known",
        "Name an .mbtiles, a .pmtiles, an .sqlite, a .db, a .geojson, a .product.json, or a folder of them.")
    }
    try add(File(url: file, place: file.relativePath, kind: kind))
  }

  private mutating func add(folder: URL, _ allowsEmpty: Bool) throws {
    let files = try ProductScan.files(in: folder, place: folder.relativePath.trimmingSuffix("/"))
    guard allowsEmpty || !files.isEmpty else {
      throw ProductScan.error(
        .badInput, folder.relativePath, "there is no archive, database or product in this folder",
        "Build something first, or name the folder of a build.")
    }
    for file in files { try add(file) }
  }

  /// Adds a file, and the files that it describes.
  private mutating func add(_ file: File) throws {
    try ProductScan.expectPlain(file.url, file.place)
    let path = file.url.standardizedFileURL.path
    guard seen.insert(path).inserted else { return }
    files.append(file)
    guard file.kind == .product, let product = try? ProductUnderTest(file.url, place: file.place) else {
      return
    }
    let owner = PlacedProduct(product.product, describedBy: file.url)
    owners[path] = owner
    let folder = file.place.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    for named in product.product.files {
      guard let url = product.url(of: named), url.kindOnDisk != nil else { continue }
      let place = (folder + [Substring(named.path)]).joined(separator: "/")
      try ProductScan.expectPlain(url, place)
      guard let kind = Kind(url) else { continue }
      owners[url.standardizedFileURL.path] = owner
      try add(File(url: url, place: place, kind: kind))
    }
  }

  private static func expectPlain(_ file: URL, _ place: String) throws {
    guard file.isRegularFile else {
      guard (try? FileManager.default.attributesOfItem(atPath: file.path)) != nil else {
        throw error(
          .badInput, place, "it was removed during the search", "Wait until nothing writes there, and repeat."
        )
      }
      throw error(
        .badInput, place, "it is not a regular file, but a pipe, a device or a broken link",
        "Replace it with the file, or remove it.")
    }
  }

  private static func files(in folder: URL, place: String) throws -> [File] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    } catch let cause {
      throw error(
        .badInput, place, "the folder cannot be read: \(cause.fileErrorReason)", "Check its permissions.",
        causes: [cause])
    }
    return try names.filter { !$0.hasPrefix(".") }.sorted().flatMap { name in
      let url = folder.appending(path: name)
      // A file that vanished meanwhile is not a folder. The rules report it.
      let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
      if attributes?[.type] as? FileAttributeType == .typeDirectory {
        return try files(in: url, place: "\(place)/\(name)")
      }
      return Kind(url).map { [File(url: url, place: "\(place)/\(name)", kind: $0)] } ?? []
    }
  }

  private static func error(
    _ kind: UserError.Kind, _ path: String, _ reason: String, _ suggestion: String, causes: [any Error] = []
  ) -> UserError {
    UserError(
      kind, operation: "looking for products in", path: path, reason: reason, suggestion: suggestion,
      causes: causes)
  }
}

extension ProductScan {
  /// Returns the descriptions of all products in a folder, or of the product that a file belongs to.
  ///
  /// - Parameter allowsLooseFiles: accepts archives and databases in a folder that no description names. Otherwise they are an
  ///   error, since an interrupted build leaves them.
  public static func descriptions(in place: URL, allowsLooseFiles: Bool = false) throws -> [URL] {
    let place = place.resolvingSymlinksInPath()
    let isFolder = place.kindOnDisk == .folder
    return try ProductScan([place], allowsEmpty: true).files.compactMap { file in
      if file.kind == .product { return file.url }
      if file.owner != nil || (isFolder && (allowsLooseFiles || isIntermediate(file.url))) { return nil }
      if let description = description(naming: file.url) { return description }
      let expected = defaultDescription(of: file.url)
      guard FileManager.default.fileExists(atPath: expected.path) else {
        throw error(
          .badInput, file.url.path, "there is no \(expected.lastPathComponent) beside it",
          "Its build was not finished: build it again, or remove the file.")
      }
      return expected
    }
  }

  /// Whether a build keeps a file for its own use, such as the charts of which a mosaic is made: `cut/Seattle.mbtiles` beside
  /// `cut/Seattle.cut.json`.
  private static func isIntermediate(_ file: URL) -> Bool {
    let folder = file.deletingLastPathComponent().lastPathComponent
    return FileManager.default.fileExists(atPath: file.deletingPathExtension().path + ".\(folder).json")
  }

  private static func defaultDescription(of file: URL) -> URL {
    URL(filePath: file.deletingPathExtension().path + descriptionSuffix)
  }

  /// Returns the description in a file's folder that names the file. It usually has the file's name, but a product of several
  /// files has one description.
  static func description(naming file: URL) -> URL? {
    let others = try? FileManager.default.contentsOfDirectory(
      at: file.deletingLastPathComponent(), includingPropertiesForKeys: nil
    ).filter { $0.lastPathComponent.hasSuffix(descriptionSuffix) }.sorted { $0.path < $1.path }
    return ([defaultDescription(of: file)] + (others ?? [])).first { description in
      let product = try? ProductUnderTest(description, place: description.path).product
      return product?.files.contains { $0.path == file.lastPathComponent } ?? false
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    count > suffix.count && hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
