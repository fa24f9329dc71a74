internal import Core
internal import Foundation
internal import Pipeline

/// The products that a staging was asked to take in: of one cycle, each there once.
struct BuildScan {
  static let descriptionSuffix = ".product.json"

  let cycle: AiracCycle
  /// By id.
  let products: [BuiltProduct]

  init(_ builds: [URL]) throws {
    let descriptions = Set(try builds.flatMap(BuildScan.descriptions).map(\.standardizedFileURL))
    products = try descriptions.sorted { $0.path < $1.path }.map(BuiltProduct.init(describedBy:))
      .sorted { $0.product.id < $1.product.id }
    guard let first = products.first else {
      throw BuildScan.fault(
        .badInput, builds.map(\.path).joined(separator: ", "), "there is no product",
        "Build one first: chartpipe build PIPELINE --cycle C.")
    }
    guard let cycle = AiracCycle(identifier: first.product.cycle) else {
      throw BuiltProduct.broken(first.description, "\"\(first.product.cycle)\" is no AIRAC cycle")
    }
    self.cycle = cycle
    try checkOneCycle(first)
    try checkUnique()
  }

  private func checkOneCycle(_ first: BuiltProduct) throws {
    guard let other = products.first(where: { $0.product.cycle != first.product.cycle }) else { return }
    throw BuildScan.fault(
      .badInput, other.description.path,
      "it is of cycle \(other.product.cycle), while \(first.product.id) is of \(first.product.cycle)",
      "Stage one cycle at a time: name its folder, such as work/build/\(first.product.cycle).")
  }

  private func checkUnique() throws {
    for (one, two) in zip(products, products.dropFirst()) where one.product.id == two.product.id {
      throw BuildScan.fault(
        .badInput, two.description.path, "\(two.product.id) is there twice; also in \(one.description.path)",
        "Name only the build that you want.")
    }
  }

  /// The descriptions of one folder, or of one file that was named itself.
  static func descriptions(_ build: URL) throws -> [URL] {
    let build = build.resolvingSymlinksInPath()
    guard let kind = build.kindOnDisk else {
      throw fault(.badCall, build.path, "there is no such file or folder", "Name a build folder.")
    }
    if kind == .folder { return try search(build) }
    if build.lastPathComponent.hasSuffix(descriptionSuffix) { return [build] }
    guard isPayload(build) else {
      throw fault(
        .badCall, build.path, "it is no product",
        "Name a folder, an .mbtiles, a .pmtiles, an .sqlite, a .db, a .geojson or a .product.json."
      )
    }
    return [try description(beside: build)]
  }

  /// An archive without a description may be what an interrupted build left: it is told, never passed over.
  private static func search(_ folder: URL) throws -> [URL] {
    var found: [URL] = []
    let walk = FileManager.default.enumerator(
      at: folder, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
    while let url = walk?.nextObject() as? URL {
      if url.lastPathComponent.hasSuffix(descriptionSuffix) { found.append(url) }
      if isPayload(url), !isAside(url) { found.append(try description(beside: url)) }
    }
    return found
  }

  /// Whether a build keeps it for its own use, such as the charts of which a mosaic is made: `cut/Seattle.mbtiles` beside
  /// `cut/Seattle.cut.json`.
  private static func isAside(_ file: URL) -> Bool {
    let folder = file.deletingLastPathComponent().lastPathComponent
    return FileManager.default.fileExists(atPath: file.deletingPathExtension().path + ".\(folder).json")
  }

  private static func isPayload(_ file: URL) -> Bool {
    ["mbtiles", "pmtiles", "sqlite", "db", "geojson"].contains(file.pathExtension)
  }

  private static func description(beside file: URL) throws -> URL {
    let description = URL(filePath: file.deletingPathExtension().path + descriptionSuffix)
    if let names = names(in: description), names.contains(file.lastPathComponent) { return description }
    // A product of several files is called otherwise than some of them.
    let others = try FileManager.default.contentsOfDirectory(
      at: file.deletingLastPathComponent(), includingPropertiesForKeys: nil
    ).filter { $0.lastPathComponent.hasSuffix(descriptionSuffix) }.sorted { $0.path < $1.path }
    if let other = others.first(where: { names(in: $0)?.contains(file.lastPathComponent) == true }) {
      return other
    }
    guard FileManager.default.fileExists(atPath: description.path) else {
      throw fault(
        .badInput, file.path, "there is no \(description.lastPathComponent) beside it",
        "Its build was not finished: build it again, or remove the file.")
    }
    return description
  }

  /// The files of a product; nil where its description cannot be read, which is told when it is read for good.
  private static func names(in description: URL) -> [String]? {
    guard let data = try? Data(contentsOf: description),
      let product = try? JSONDecoder().decode(Product.self, from: data)
    else { return nil }
    return product.files.map(\.path)
  }

  private static func fault(
    _ kind: UserError.Kind, _ subject: String, _ problem: String, _ remedy: String
  ) -> UserError {
    UserError(kind, operation: "looking for products in", path: subject, reason: problem, suggestion: remedy)
  }
}
