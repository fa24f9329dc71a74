import Charts
import Core
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
