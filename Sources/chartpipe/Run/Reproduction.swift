import Charts
import Core
import CryptoIO
import Fetch
import Foundation
import Pipeline
import Site

/// Rebuilds what a manifest names, from the very sources that it names, in a folder of its own: nothing that stands anywhere
/// else is taken for rebuilt.
struct Reproduction {
  let target: ReproductionTarget
  let library: PipelineLibrary
  let from: SourceFolder
  let work: URL
  let jobs: Int
  let console: Console

  /// What is rebuilt in one go: a pipeline, as it was warped then.
  private struct Way: Hashable {
    let pipeline: String
    let engine: WarpEngine

    init(_ product: Product) {
      pipeline = product.id.split(separator: "/").first.map(String.init) ?? product.id
      engine = product.build.libraries["warp"].flatMap(WarpEngine.init) ?? .kernel
    }
  }

  private var workspace: Workspace {
    Workspace(work.appending(path: "reproduce/\(target.name)", directoryHint: .isDirectory))
  }

  func run() throws -> ReproductionReport {
    var reproduced: [ReproducedProduct] = []
    for (way, products) in Dictionary(grouping: target.wanted, by: Way.init).sorted(by: {
      $0.value[0].id < $1.value[0].id
    }) {
      reproduced += try rebuild(products, way)
    }
    return ReproductionReport(
      cycle: target.cycle.identifier, products: reproduced, folder: workspace.build.path)
  }

  private func rebuild(_ products: [Product], _ way: Way) throws -> [ReproducedProduct] {
    let plan: BuildPlan
    do {
      plan = try self.plan(way)
    } catch let fault as UserError {
      return products.map { ReproducedProduct(notBuilt: $0.id, because: fault.line) }
    }
    var sources = RecordedSources(in: from)
    var (ready, lost): ([Product], [ReproducedProduct]) = ([], [])
    for product in products {
      if let obstacle = try obstacle(to: product, plan, &sources) {
        lost.append(ReproducedProduct(notBuilt: product.id, because: obstacle))
      } else {
        ready.append(product)
      }
    }
    return try lost + (ready.isEmpty ? [] : build(ready, plan, way, sources))
  }

  /// The whole pipeline. Whether the database carried the raw tables along, or was made as one of its parts, only the hash of its
  /// definition says.
  private func plan(_ way: Way) throws -> BuildPlan {
    let plan = try BuildPlan([try library.definition(way.pipeline)])
    let databases = target.products.filter { $0.kind == .database }
    let parts = try plan.ofParts
    let others = parts + ([plan] + parts).compactMap(\.carryingRawTables)
    let made = try others.first { other in
      try other.items.contains { item in
        try databases.contains {
          try $0.id == item.product && $0.build.definitionSha256 == item.definitionSha256()
        }
      }
    }
    return made ?? plan
  }

  /// Why a product cannot be built; nil when all that it is made of is there.
  private func obstacle(
    to product: Product, _ plan: BuildPlan, _ sources: inout RecordedSources
  ) throws -> String? {
    guard plan.items.contains(where: { $0.product == product.id }) else {
      return "its pipeline's definition has no such item"
    }
    return try sources.take(product.sources + neighbours(of: product, plan).flatMap(\.sources))
  }

  /// The charts from which a chart's edge tiles were completed: they are no sources of its own.
  private func neighbours(of product: Product, _ plan: BuildPlan) -> [Product] {
    let item = plan.items.first { $0.product == product.id }
    guard case .chart(_, let family) = item?.content, family.seam == .fill else { return [] }
    let charts = Set(family.charts.map { "\(family.name)/\($0.id)" }).subtracting([product.id])
    let own = ChartPack(product: product, archive: work)
    return target.products.filter {
      charts.contains($0.id) && MosaicBuilder.areNeighbours(own, ChartPack(product: $0, archive: work))
    }
  }

  private func build(
    _ products: [Product], _ plan: BuildPlan, _ way: Way, _ sources: RecordedSources
  ) throws -> [ReproducedProduct] {
    let needed = products.flatMap { [$0.id] + neighbours(of: $0, plan).map(\.id) }
    let settings = RunSettings(
      plan: try plan.only(needed), cycle: target.cycle,
      from: workspace.sources.appending(path: "\(way.pipeline)-\(way.engine)", directoryHint: .isDirectory),
      workspace: workspace, jobs: jobs, engine: way.engine)
    let flight = try Flight(settings, console)
    try sources.lay(in: settings.from)
    let outcome = try flight.build(settings.plan)
    let descriptions = outcome.outputs.flatMap(\.files).filter { $0.path.hasSuffix(".product.json") }
    let rebuilt = try descriptions.map { file in
      (try JSONDecoder().decode(Product.self, from: Data(contentsOf: file)), file.deletingLastPathComponent())
    }
    return try products.map { product in
      guard let (made, folder) = rebuilt.first(where: { $0.0.id == product.id }) else {
        let failure = outcome.failures.first {
          $0.step.split(separator: ",").first.map(String.init) == product.id
        }
        return ReproducedProduct(
          notBuilt: product.id, because: failure?.fault.line ?? "what it is made of could not be built")
      }
      return try ReproducedProduct(product, rebuilt: made, in: folder, of: target)
    }
  }
}

/// The sources that a manifest names, found by their hashes and laid out under the names by which a build looks for them.
struct RecordedSources {
  private let folder: SourceFolder
  private var places: [SHA256Hex: RecordedSource] = [:]
  /// By name in small letters.
  private var chosen: [String: (source: Product.Source, url: URL)] = [:]

  init(in folder: SourceFolder) { self.folder = folder }

  /// Takes all of them, or none and tells why.
  mutating func take(_ sources: [Product.Source]) throws -> String? {
    var taken = chosen
    var lacking: [String] = []
    for source in sources {
      let name = source.fileName
      let place = try places[source.sha256] ?? folder.locate(source)
      places[source.sha256] = place
      if case .found(let url) = place, RecordedSources.isPlain(name) {
        let other = taken.updateValue((source, url), forKey: name.lowercased())
        guard let other, other.source.sha256 != source.sha256 else { continue }
        lacking.append("another product needs another \(name): name one of them with --only")
      } else {
        lacking.append(words(place, source))
      }
    }
    guard lacking.isEmpty else { return lacking.joined(separator: "; ") }
    chosen = taken
    return nil
  }

  /// Links, since sources are large and the build only reads them.
  func lay(in farm: URL) throws {
    do {
      if FileManager.default.fileExists(atPath: farm.path) { try FileManager.default.removeItem(at: farm) }
      try FileManager.default.createDirectory(at: farm, withIntermediateDirectories: true)
      for (source, url) in chosen.values {
        try FileManager.default.createSymbolicLink(
          at: farm.appending(path: source.fileName), withDestinationURL: url)
      }
    } catch {
      throw UserError(
        .failed, operation: "laying out the sources in", path: farm.path, reason: error.fileErrorReason,
        suggestion: "Give a folder of your own with --work.", causes: [error])
    }
  }

  /// A manifest is somebody else's, and may name anything.
  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && !name.contains("\0") && name.utf8.count <= 255
  }

  private func words(_ place: RecordedSource, _ source: Product.Source) -> String {
    let hash = "SHA-256 \(source.sha256.text.prefix(12))…"
    return switch place {
    case .found: "\"\(source.url)\" is no name of a file"
    case .changed(let url): "\(source.fileName) (\(hash)): \(url.path) is another file"
    case .absent: "\(source.fileName) (\(hash)) is not in \(folder.root.path)"
    }
  }
}
