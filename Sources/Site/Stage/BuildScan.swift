internal import Core
public import Foundation

/// The products that a staging was asked to take in: of one cycle, each there once.
struct BuildScan {
  let cycle: AiracCycle
  /// By id.
  let products: [BuiltProduct]

  init(_ builds: [URL]) throws {
    let descriptions = Set(
      try builds.flatMap { try ProductScan.descriptions(in: $0) }.map(\.standardizedFileURL))
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

  private static func fault(
    _ kind: UserError.Kind, _ subject: String, _ problem: String, _ remedy: String
  ) -> UserError {
    UserError(kind, operation: "looking for products in", path: subject, reason: problem, suggestion: remedy)
  }
}

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
    guard let database = product.files.first(where: { $0.role == "database" }) else { return nil }
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
