internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline
internal import Validation

/// Checks that `regions.json`, `latest.json`, `style.json` and the TileJSON files agree with the catalogue.
///
/// A `regions.json` of the replaced catalogue is a warning: a publication was interrupted, or a cache is stale, and all files
/// that it names still exist. Any other difference is an error. `latest.json` has only hashes, so a wrong one costs a client one
/// request and is a warning.
struct RootCheck {
  private let files: any ObjectStore
  private let read: PublishedCatalogue
  private static let limit = largestDocument
  private static let remedy = "publish again to repair it"

  init(_ files: any ObjectStore, _ read: PublishedCatalogue) {
    (self.files, self.read) = (files, read)
  }

  /// Returns no findings for a catalogue of an earlier version, which has no list of regions.
  func findings() throws -> [Finding] {
    guard let reference = read.catalogue.regions else { return [] }
    let replaced = try? read.replaced(in: files)
    let data: Data
    do {
      data = try reference.regions(in: files)
    } catch let trouble as Unreadable {
      return [.health(.regions, reference.path, trouble.problem)]
    }
    let before = replaced?.catalogue.regions.flatMap { try? $0.regions(in: files) }
    let answer = try LatestAnswer(read.catalogue, sha256: read.sha256).data
    return try content(data, reference.path)
      + root(RegionList.path, is: data) {
        $0 == before
          ? (.warning, "it belongs to the previous catalogue")
          : (.error, "it does not belong to this catalogue")
      }
      + root(LatestAnswer.path, is: answer) { _ in (.warning, "it does not belong to this catalogue") }
      + WebMapCheck(files, read.catalogue, replaced: replaced?.catalogue).findings()
  }

  private func root(
    _ path: String, is wanted: Data, otherwise: (Data) -> (Finding.Severity, String)
  ) throws -> [Finding] {
    let found: Data?
    do {
      found = try files.data(path, limit: RootCheck.limit)?.data
    } catch let trouble as Unreadable {
      return [.health(.regions, path, trouble.problem)]
    }
    guard let found else { return [.health(.regions, path, "it is missing; \(RootCheck.remedy)")] }
    if found == wanted { return [] }
    let (severity, problem) = otherwise(found)
    return [.health(severity, .regions, path, "\(problem); \(RootCheck.remedy)")]
  }

  /// Each region must be an archive of the catalogue with the catalogue's dates, and each id must be unique.
  private func content(_ data: Data, _ path: String) -> [Finding] {
    guard let regions = try? JSONDecoder().decode([RegionList.Region].self, from: data) else {
      return [.health(.regions, path, "it is not a list of regions")]
    }
    let known = Dictionary(grouping: read.catalogue.products, by: \.id).mapValues {
      $0.compactMap(RegionList.Region.init)
    }
    var seen: Set<String> = []
    return regions.compactMap { region in
      guard seen.insert(region.id.lowercased()).inserted else {
        return .health(.regions, path, "the region \(region.id) is listed twice")
      }
      guard known[region.product]?.contains(region) != true else { return nil }
      return .health(
        .regions, path, "the region \(region.id) differs from the catalogue's entry for \(region.product)")
    }
  }
}

/// Checks by the clock that a catalogue has the cycle in force, regardless of the roles that it gives its cycles.
struct CurrencyCheck {
  private let catalogue: Catalog
  private let now: Instant
  private let inForce: AiracCycle

  /// The number of days before the end of the current cycle by which the next one should be published.
  private static let noticeDays = 5

  init(_ catalogue: Catalog, at now: Instant) {
    self.catalogue = catalogue
    self.now = now
    inForce = AiracCycle(at: now)
  }

  private var listed: [AiracCycle] {
    catalogue.entries.compactMap { AiracCycle(identifier: $0.id) }.sorted()
  }

  var next: AiracCycle { inForce.advanced(by: 1) }
  var hasNext: Bool { listed.contains(next) }

  /// The end of the latest cycle that has taken effect. It is in the past when the site lacks the cycle in force.
  var expires: Instant? { listed.last { $0 <= inForce }?.expires(.every28Days) }

  var findings: [Finding] { dates + presence }

  private var presence: [Finding] {
    guard listed.contains(inForce) else {
      let held = listed.map(\.identifier).joined(separator: ", ")
      return [
        finding(
          .error, "cycle \(inForce) is in force, and the site has \(held.isEmpty ? "none" : "only \(held)")")
      ]
    }
    let end = inForce.expires(.every28Days)
    guard now.day >= end.day.adding(days: -CurrencyCheck.noticeDays), !hasNext else { return [] }
    return [finding(.warning, "\(inForce.identifier) ends at \(end), and \(next) is not published yet")]
  }

  /// Clients rely on these dates, so they must be those of the calendar.
  private var dates: [Finding] {
    catalogue.entries.compactMap { entry in
      guard let cycle = AiracCycle(identifier: entry.id) else {
        return finding(.error, "there is no AIRAC cycle \"\(entry.id)\"")
      }
      let dates = (cycle.effective.description, cycle.expires(.every28Days).description)
      guard dates != (entry.effective, entry.expires) else { return nil }
      return finding(
        .error, "cycle \(cycle) is in force from \(dates.0) to \(dates.1), and the catalogue has other dates")
    }
  }

  private func finding(_ severity: Finding.Severity, _ message: String) -> Finding {
    .health(severity, .currency, PublishedCatalogue.path, message)
  }
}

/// Reports the products that the cycles of a catalogue hold back, and editions whose dates do not fit their cycle: an old edition
/// must never look like a current one.
struct HeldEditionsCheck {
  private let catalogue: Catalog
  private let now: Instant

  init(_ catalogue: Catalog, at now: Instant) {
    (self.catalogue, self.now) = (catalogue, now)
  }

  var findings: [Finding] { misdated + held }

  /// Reports the products held back in the cycle in force and in later cycles.
  private var held: [Finding] {
    let inForce = AiracCycle(at: now)
    let entries = catalogue.entries.filter { entry in
      AiracCycle(identifier: entry.id).map { $0 >= inForce } ?? false
    }
    return entries.flatMap { entry in
      (entry.held ?? []).map { .health(.warning, .held, $0.id, message($0, entry)) }
    }
  }

  private func message(_ held: CycleEntry.Held, _ entry: CycleEntry) -> String {
    let why =
      switch held.reason {
      case .refused: "validation refused it\(held.rule.map { " (\($0))" } ?? "")"
      case .contains: "it contains parts of a product that validation refused"
      case .failed: "it could not be built"
      }
    let edition = catalogue.products.first { $0.id == held.id && $0.cycle == held.published }
    return
      "cycle \(entry.id) does not have it: \(why); \(edition.map(published) ?? "no earlier edition is published")"
  }

  private func published(_ product: Product) -> String {
    let isExpired = Instant(product.expirationDate).map { $0 <= now } ?? true
    return
      "the edition of \(product.edition) stays published, which \(isExpired ? "expired" : "is in force until") "
      + (isExpired ? "on \(product.expirationDate)" : product.expirationDate)
  }

  /// Apps decide by these dates which edition is in force.
  private var misdated: [Finding] {
    catalogue.products.compactMap { product in
      guard let cycle = AiracCycle(identifier: product.cycle) else { return nil }
      if let from = Instant(product.effectiveDate), let until = Instant(product.expirationDate),
        from <= cycle.effective, cycle.effective < until
      {
        return nil
      }
      return .health(
        .error, .held, product.id,
        "it is of cycle \(cycle), which begins at \(cycle.effective), but its dates are from \(product.effectiveDate) "
          + "to \(product.expirationDate)")
    }
  }
}
