internal import Core
public import Foundation

/// A product of a build folder: its description, and where its files lie.
struct BuiltProduct {
  let product: Product
  let description: URL

  init(describedBy file: URL) throws {
    description = file
    let data = try UserError.wrapping(
      "reading the product", file.path, "the file cannot be read",
      kind: .badInput, suggestion: "Build it, or name the folder or file that holds it."
    ) { try Data(contentsOf: file) }
    do {
      product = try JSONDecoder().decode(Product.self, from: data)
    } catch {
      let reason = (error as? DecodingError)?.whereAndWhy(in: data) ?? error.fileErrorReason
      throw BuiltProduct.broken(file, reason, causes: [error])
    }
    try check()
  }

  func source(of file: Product.File) -> URL {
    description.deletingLastPathComponent().appending(path: file.path)
  }

  var problems: ProblemDigest? {
    BuiltProduct.problems(of: product, in: description.deletingLastPathComponent())
  }

  /// What the build noted beside a database or an export, as `aviation.problems.json`; nil where it noted nothing, or in a form
  /// that cannot be read.
  static func problems(of product: Product, in folder: URL) -> ProblemDigest? {
    guard let database = product.files.first(where: { $0.role == .database }) else { return nil }
    let stem = folder.appending(path: database.path).deletingPathExtension().path
    guard product.kind != .chart, let data = try? Data(contentsOf: URL(filePath: stem + ".problems.json")),
      let report = try? JSONDecoder().decode(ProblemReport.self, from: data)
    else { return nil }
    return ProblemDigest(report)
  }

  var sources: [URL] { product.files.map(source) }

  /// A path of the description may not lead out of its folder, and what it names must be there at its full size.
  private func check() throws {
    guard !product.id.isEmpty else { throw BuiltProduct.broken(description, "its id is empty") }
    guard !product.files.isEmpty else { throw BuiltProduct.broken(description, "it names no file") }
    for file in product.files {
      guard file.path.isPlainPath else {
        throw BuiltProduct.broken(description, "\"\(file.path)\" is no path within its folder")
      }
      let source = source(of: file)
      guard source.isRegularFile, let size = source.byteCount else {
        throw BuiltProduct.broken(description, "its file \(file.path) is not there")
      }
      guard size == file.bytes else {
        throw BuiltProduct.broken(
          description, "its file \(file.path) has \(size) bytes and should have \(file.bytes)")
      }
    }
  }

  static func broken(_ file: URL, _ problem: String, causes: [any Error] = []) -> UserError {
    UserError(
      .badInput, operation: "reading the product", path: file.path, reason: problem,
      suggestion: "Build it again.", causes: causes)
  }
}

/// The products that a place holds: a site, all of its cycles; a build folder; or a product of one.
public enum ProductSearch {
  /// The latest cycle's first.
  public static func products(in place: URL) throws -> [PlacedProduct] {
    let site = SiteFolder(root: place)
    guard try site.readCatalogue() == nil else {
      return try site.readManifests().sorted { $0.key > $1.key }.flatMap { stored in
        CycleProducts(stored.value.manifest).all.map { PlacedProduct($0, in: place) }
      }
    }
    let descriptions = Set(try ProductScan.descriptions(in: place).map(\.standardizedFileURL))
    guard !descriptions.isEmpty else {
      throw UserError(
        .badInput, operation: "looking for products in", path: place.path, reason: "there is no product",
        suggestion: "Name a site, a build folder or a product of one.")
    }
    return try descriptions.sorted { $0.path < $1.path }.map {
      PlacedProduct(try BuiltProduct(describedBy: $0).product, in: $0.deletingLastPathComponent())
    }.sorted { $0.product.cycle > $1.product.cycle }
  }

  /// Returns the valid products of the latest cycle. The rules report the problems of the others.
  static func whole(in places: [URL]) -> [PlacedProduct] {
    let descriptions = Set(
      places.flatMap { (try? ProductScan.descriptions(in: $0, allowsLooseFiles: true)) ?? [] }
        .map(\.standardizedFileURL))
    let products = descriptions.compactMap { file in
      (try? BuiltProduct(describedBy: file)).map {
        PlacedProduct($0.product, in: file.deletingLastPathComponent())
      }
    }
    let latest = products.map(\.product.cycle).max()
    return products.filter { $0.product.cycle == latest }.sorted { $0.product.id < $1.product.id }
  }
}
