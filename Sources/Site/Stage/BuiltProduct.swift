internal import Aero
internal import Core
internal import Foundation
internal import Pipeline

/// A product of a build folder: its description, and where its files lie.
struct BuiltProduct {
  let product: Product
  let description: URL

  init(describedBy file: URL) throws {
    description = file
    let data: Data
    do {
      data = try Data(contentsOf: file)
    } catch {
      throw UserError(
        .badInput, operation: "reading the product", path: file.path, reason: "the file cannot be read",
        suggestion: "Build it, or name the folder or file that holds it.", causes: [error])
    }
    do {
      product = try JSONDecoder().decode(Product.self, from: data)
    } catch {
      let reason = (error as? DecodingError)?.whereAndWhy() ?? "\(error)"
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
      let parts = file.path.split(separator: "/", omittingEmptySubsequences: false)
      guard !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) else {
        throw BuiltProduct.broken(description, "\"\(file.path)\" is no path within its folder")
      }
      let attributes = try? FileManager.default.attributesOfItem(atPath: source(of: file).path)
      guard let size = attributes?[.size] as? Int, attributes?[.type] as? FileAttributeType == .typeRegular
      else { throw BuiltProduct.broken(description, "its file \(file.path) is not there") }
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
