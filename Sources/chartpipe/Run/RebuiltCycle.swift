internal import Core
internal import CryptoIO
internal import Foundation

/// Rebuilds the products of a manifest from the sources that it lists. It uses a separate folder, so it never takes files of an
/// earlier build for rebuilt ones.
struct Reproduction {
  let target: ReproductionTarget
  let library: PipelineLibrary
  let from: SourceFolder
  let jobs: Int
  let console: Console
  private let work: URL
  private let workspace: Workspace

  init(
    _ target: ReproductionTarget, library: PipelineLibrary, from: SourceFolder, work: URL, jobs: Int,
    console: Console
  ) throws {
    (self.target, self.library, self.from, self.work) = (target, library, from, work)
    (self.jobs, self.console) = (jobs, console)
    // What one program built proves nothing about another one.
    let program = try Bundle.main.executableURL.map { try SHA256Hex(ofFile: $0.resolvingSymlinksInPath()) }
    let folder = "reproduce/\(target.name)/\(program?.text.prefix(12) ?? "unknown")"
    workspace = Workspace(work.appending(path: folder, directoryHint: .isDirectory))
  }

  func run() throws -> ReproductionReport {
    var reproduced: [ReproducedProduct] = []
    for (pipeline, products) in Dictionary(grouping: target.selected, by: \.id.pipelineOfID)
      .sorted(by: { $0.value[0].id < $1.value[0].id })
    {
      reproduced += try rebuild(products, of: pipeline)
    }
    return ReproductionReport(
      cycle: target.cycle, products: reproduced, folder: workspace.build.path)
  }

  private func rebuild(_ products: [Product], of pipeline: String) throws -> [ReproducedProduct] {
    let plan: BuildPlan
    do {
      plan = try self.plan(pipeline)
    } catch let error as UserError where !library.names.isEmpty {
      let problem = error.message.replacing("\n  ", with: ". ")
      return products.map { ReproducedProduct(notBuilt: $0.id, because: problem) }
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
    return try lost + (ready.isEmpty ? [] : build(ready, of: pipeline, plan, sources))
  }

  /// The complete pipeline. Only the hash of the definition shows whether the database has the raw tables or is a part.
  private func plan(_ pipeline: String) throws -> BuildPlan {
    let plan = try BuildPlan([try library.definition(pipeline)])
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
    if let made { return made }
    // Sets that were made on demand are not in the definition.
    let ids = Set(plan.items.map(\.product))
    let wanted = target.selected.map(\.id).filter { id in
      id.pipelineOfID == pipeline && (ids.contains(id) || plan.items.contains { $0.part(id) != nil })
    }
    return wanted.allSatisfy(ids.contains) ? plan : try plan.only(wanted)
  }

  /// The reason why a product cannot be built; nil if all its sources are there.
  private func obstacle(
    to product: Product, _ plan: BuildPlan, _ sources: inout RecordedSources
  ) throws -> String? {
    guard plan.items.contains(where: { $0.product == product.id }) else {
      return "its pipeline's definition has no such item"
    }
    return try sources.take(product.sources + neighbours(of: product, plan).flatMap(\.sources))
  }

  /// The charts that completed a chart's edge tiles. The chart's own sources do not include them.
  private func neighbours(of product: Product, _ plan: BuildPlan) -> [Product] {
    let completed = Set(plan.items.filter { $0.joining == .completed }.map(\.product))
    guard completed.contains(product.id) else { return [] }
    let charts = completed.subtracting([product.id])
    let own = ChartPack(product: product, archive: work)
    return target.products.filter {
      charts.contains($0.id) && MosaicBuilder.areNeighbours(own, ChartPack(product: $0, archive: work))
    }
  }

  private func build(
    _ products: [Product], of pipeline: String, _ plan: BuildPlan, _ sources: RecordedSources
  ) throws -> [ReproducedProduct] {
    let needed = products.flatMap { [$0.id] + neighbours(of: $0, plan).map(\.id) }
    let settings = RunSettings(
      plan: try plan.only(needed), cycle: target.cycle,
      workspace: workspace,
      place: .folder(workspace.sources.appending(path: pipeline, directoryHint: .isDirectory)),
      jobs: jobs)
    try sources.lay(in: settings.from)
    let run = try PipelineRun(settings, console)
    let outcome = try run.build(settings.plan)
    return try products.map { product in
      let result = outcome.results.first { $0.step.product == product.id && $0.description != nil }
      guard let (made, folder) = try result?.product() else {
        let failure = outcome.failures.first { $0.step.product == product.id }
        return ReproducedProduct(
          notBuilt: product.id,
          because: failure?.error.line ?? "a product that it is made of could not be built")
      }
      return try ReproducedProduct(product, rebuilt: made, in: folder, of: target)
    }
  }
}

/// The sources that a manifest lists, found by their hashes and linked under the names that a build expects.
struct RecordedSources {
  private let folder: SourceFolder
  private var places: [SHA256Hex: RecordedSource] = [:]
  /// By name in small letters.
  private var chosen: [String: (source: Product.Source, url: URL)] = [:]

  init(in folder: SourceFolder) { self.folder = folder }

  /// Takes all of them. Otherwise takes none and returns the reason.
  mutating func take(_ sources: [Product.Source]) throws -> String? {
    var taken = chosen
    var lacking: [String] = []
    for source in sources {
      let name = source.fileName
      let place = try places[source.sha256] ?? folder.locate(source)
      places[source.sha256] = place
      // A name of a manifest is untrusted.
      if case .found(let url) = place, name.isPlainFileName {
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

  /// Links the sources instead of copying them, since they are large and the build only reads them.
  func lay(in farm: URL) throws {
    try UserError.wrapping(
      "laying out the sources in", farm.path, suggestion: "Choose another folder with --work."
    ) {
      if FileManager.default.fileExists(atPath: farm.path) { try FileManager.default.removeItem(at: farm) }
      try farm.createFolder()
      for (source, url) in chosen.values {
        try FileManager.default.createSymbolicLink(
          at: farm.appending(path: source.fileName), withDestinationURL: url)
      }
    }
  }

  private func words(_ place: RecordedSource, _ source: Product.Source) -> String {
    let hash = "SHA-256 \(source.sha256.text.prefix(12))…"
    return switch place {
    case .found: "\"\(source.url)\" is not a valid file name"
    case .changed(let url): "\(source.fileName) (\(hash)): \(url.path) is another file"
    case .absent: "\(source.fileName) (\(hash)) is not in \(folder.root.path)"
    }
  }
}
