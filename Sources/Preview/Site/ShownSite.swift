internal import Core
internal import Foundation
internal import Pipeline
internal import Site

/// What lies in a staged site, or in a build folder before it is staged. A cycle that cannot be read is told of in its place:
/// whoever looks at a site wants to see the others nevertheless.
struct ShownSite: Sendable {
  /// The oldest first.
  let cycles: [ShownCycle]

  init(_ root: URL) throws {
    guard root.kindOnDisk == .folder else {
      throw ShownSite.fault(root, "there is no such folder", "Name the folder of a site, such as work/site.")
    }
    let isSite = FileManager.default.fileExists(atPath: root.appending(path: "catalog.json").path)
    cycles = (isSite ? try ShownSite.staged(root) : try ShownSite.built(root)).sorted { $0.cycle < $1.cycle }
  }

  func cycle(_ identifier: String) -> ShownCycle? { cycles.first { $0.cycle.identifier == identifier } }

  private static func staged(_ root: URL) throws -> [ShownCycle] {
    let folder = root.appending(path: "cycles")
    return names(in: folder).compactMap(AiracCycle.init(identifier:)).map { cycle in
      let file = folder.appending(path: "\(cycle.identifier)/manifest.json")
      guard let manifest: Manifest = read(file) else {
        return ShownCycle(cycle, [], trouble: "The manifest of cycle \(cycle.identifier) cannot be read.")
      }
      // An earlier edition that stays in place of a newer one is shown with its own dates.
      let products = (manifest.products + (manifest.kept ?? [])).map {
        PlacedProduct(product: $0, folder: root)
      }
      return ShownCycle(
        cycle, products.sorted { $0.product.id < $1.product.id }, missing: manifest.missing,
        held: (manifest.held ?? []).map { SiteAnswer.Held(id: $0.id, why: $0.rule ?? $0.message) })
    }
  }

  private static func built(_ root: URL) throws -> [ShownCycle] {
    let suffix = ".product.json"
    let products = (FileManager.default.subpaths(atPath: root.path) ?? []).filter { $0.hasSuffix(suffix) }
      .sorted().compactMap { path -> PlacedProduct? in
        let file = root.appending(path: path)
        let product: Product? = read(file)
        return product.map { PlacedProduct(product: $0, folder: file.deletingLastPathComponent()) }
      }
    guard !products.isEmpty else {
      throw fault(
        root, "it holds no catalog.json, and nothing that was built",
        "Name a site, such as work/site, or a build folder, such as work/build/2304.")
    }
    return Dictionary(grouping: products, by: \.product.cycle).compactMap { identifier, products in
      AiracCycle(identifier: identifier).map { ShownCycle($0, products) }
    }
  }

  private static func names(in folder: URL) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
  }

  private static func read<Value: Decodable>(_ file: URL) -> Value? {
    (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
  }

  private static func fault(_ root: URL, _ problem: String, _ remedy: String) -> UserError {
    UserError(.badCall, operation: "opening the site", path: root.path, reason: problem, suggestion: remedy)
  }
}
