internal import ChartpipeClient
internal import Core
internal import Foundation
internal import Pipeline
internal import Site

/// What a pack's source offers.
struct SourceContents {
  /// An aviation database, on this machine.
  struct Database {
    let file: URL
    let chart: DatedProduct
  }

  let charts: [OfferedChart]
  /// Nil for a single archive.
  let files: ChartFiles?
  private let products: [Product]

  init(_ request: PackRequest, scratch: URL, progress: any ProgressReporter) throws {
    switch request.source {
    case .archive(let file):
      charts = [try OfferedChart(file)]
      (files, products) = (nil, [])
    case .site(let site):
      let published = try PublishedProducts(site, signedBy: request.publicKey)
      products = published.products
      charts = products.enumerated().compactMap { OfferedChart($0.element, number: $0.offset) }
      files = ChartFiles(
        published, of: site, cache: request.cache, scratch: scratch, verifiesHashes: request.publicKey != nil,
        progress: progress)
    }
  }

  /// The database that is in force; nil where none is published, or where neither points nor airports are looked up.
  func database(_ request: PackRequest) throws -> Database? {
    let needsIt = request.wantsAirports || request.area.points.contains { RoutePoint(coordinates: $0) == nil }
    let entries = products.enumerated().filter { $0.element.isAviationDatabase }.map {
      (number: $0.offset, product: $0.element, dates: DatedProduct($0.element))
    }
    let chosen = entries.last { $0.dates.isInForce(at: request.time) } ?? entries.last
    guard needsIt, let chosen, let files,
      let file = chosen.product.files.first(where: { $0.role == "database" })
    else { return nil }
    return Database(file: try files.whole(file, of: chosen.number), chart: chosen.dates)
  }

  /// Says why a pack has no airports although they were wanted.
  func notes(_ request: PackRequest, _ database: Database?) -> [String] {
    guard request.wantsAirports, database == nil else { return [] }
    return ["No aviation database is published beside the charts, so the pack has no airports."]
  }
}

extension Product {
  /// Whether it has airports, navaids and fixes; other databases hold obstacles alone, for example.
  fileprivate var isAviationDatabase: Bool {
    kind == .database && ["airports", "navaids", "fixes"].allSatisfy { build.counts[$0] != nil }
  }
}

/// A product and its dates.
struct DatedProduct: Sendable {
  let id: String
  let effective: Instant?
  let expires: Instant?

  init(_ product: Product) {
    id = product.id
    effective = Instant(product.effectiveDate)
    expires = Instant(product.expirationDate)
  }

  init(_ chart: OfferedChart) {
    (id, effective, expires) = (chart.id, chart.effective, chart.expires)
  }

  func isInForce(at time: Instant) -> Bool {
    (effective.map { $0 <= time } ?? true) && (expires.map { time < $0 } ?? true)
  }
}

/// Compares the editions of a pack with the time at which it will be used.
struct EditionCheck {
  private let outdated: [String]
  private let time: Instant

  init(_ charts: [OfferedChart], database: DatedProduct?, at time: Instant) {
    self.time = time
    outdated = (charts.map(DatedProduct.init) + [database].compactMap(\.self)).compactMap { product in
      if let expires = product.expires, expires <= time { return "\(product.id) expired on \(expires)" }
      if let effective = product.effective, effective > time {
        return "\(product.id) takes effect on \(effective)"
      }
      return nil
    }
  }

  /// - Throws: where something is not in force and that is not allowed.
  func notes(_ allowsExpired: Bool) throws -> [String] {
    guard !outdated.isEmpty else { return [] }
    guard allowsExpired else {
      throw UserError(
        .refused, operation: "choosing editions",
        reason: "not in force at \(time): \(outdated.joined(separator: "; "))",
        suggestion: "Give the day of the flight with --at, or add --allow-expired to pack them anyway.")
    }
    return ["Not in force at \(time): \(outdated.joined(separator: "; ")). Do not navigate by it."]
  }
}
