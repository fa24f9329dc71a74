internal import Core
public import Foundation

extension PlacedProduct {
  /// Reads a product of a build folder, and checks its files.
  init(describedBy file: URL) throws {
    let data = try UserError.wrapping(
      "reading the product", file.path, "the file cannot be read",
      kind: .badInput, suggestion: "Build it, or name the folder or file that holds it."
    ) { try Data(contentsOf: file) }
    do {
      self.init(try JSONDecoder().decode(Product.self, from: data), describedBy: file)
    } catch {
      let reason = (error as? DecodingError)?.whereAndWhy(in: data) ?? error.fileErrorReason
      throw PlacedProduct.broken(file, reason, causes: [error])
    }
    if let problem { throw PlacedProduct.broken(file, problem) }
  }

  /// Why its files cannot be used: a path leads out of its folder, or a file is not there at its full size.
  private var problem: String? {
    if product.id.isEmpty { return "its id is empty" }
    if product.files.isEmpty { return "it names no file" }
    return product.files.lazy.compactMap { file in
      guard file.path.isPlainPath else { return "\"\(file.path)\" is no path within its folder" }
      guard url(of: file).isRegularFile, let size = url(of: file).byteCount else {
        return "its file \(file.path) is not there"
      }
      return size == file.bytes
        ? nil : "its file \(file.path) has \(size) bytes and should have \(file.bytes)"
    }.first
  }

  /// What the build noted beside a database or an export, as `aviation.problems.json`; nil where it noted nothing, or in a form
  /// that cannot be read.
  var problems: ProblemDigest? {
    guard let database = product.files.first(where: { $0.role == .database }) else { return nil }
    let stem = url(of: database).deletingPathExtension().path
    guard product.isOfDatabase, let data = try? Data(contentsOf: URL(filePath: stem + ".problems.json")),
      let report = try? JSONDecoder().decode(ProblemReport.self, from: data)
    else { return nil }
    return ProblemDigest(report)
  }

  static func broken(_ file: URL, _ problem: String, causes: [any Error] = []) -> UserError {
    UserError(
      .badInput, operation: "reading the product", path: file.path, reason: problem,
      suggestion: "Build it again.", causes: causes)
  }
}

/// The products that a place holds: a site, all of its cycles; a build folder; or a product of one.
public enum ProductSearch {
  /// Reads the built products below some places, by the paths of their descriptions.
  static func built(in places: [URL]) throws -> [PlacedProduct] {
    let descriptions = Set(
      try places.flatMap { try ProductScan.descriptions(in: $0) }.map(\.standardizedFileURL))
    return try descriptions.sorted { $0.path < $1.path }.map { try PlacedProduct(describedBy: $0) }
  }

  /// The latest cycle's first.
  public static func products(in place: URL) throws -> [PlacedProduct] {
    let site = SiteFolder(root: place)
    guard try site.readCatalogue() == nil else {
      return try site.readManifests().sorted { $0.key > $1.key }.flatMap { stored in
        CycleProducts(stored.value.manifest).all.map { PlacedProduct($0, in: place) }
      }
    }
    let products = try built(in: [place])
    guard !products.isEmpty else {
      throw UserError(
        .badInput, operation: "looking for products in", path: place.path, reason: "there is no product",
        suggestion: "Name a site, a build folder or a product of one.")
    }
    return products.sorted { $0.product.cycle > $1.product.cycle }
  }

  /// Returns the valid products of the latest cycle. The rules report the problems of the others.
  static func whole(in places: [URL]) -> [PlacedProduct] {
    let descriptions = Set(
      places.flatMap { (try? ProductScan.descriptions(in: $0, allowsLooseFiles: true)) ?? [] }
        .map(\.standardizedFileURL))
    let products = descriptions.compactMap { try? PlacedProduct(describedBy: $0) }
    let latest = products.map(\.product.cycle).max()
    return products.filter { $0.product.cycle == latest }.sorted { $0.product.id < $1.product.id }
  }
}
