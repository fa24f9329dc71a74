internal import Core
public import Foundation

/// `feed.xml`: an Atom feed of a site's cycles. Subscribers learn of a new cycle from it.
public struct CycleFeed {
  private let catalogue: Catalog
  /// The address of the site without a slash at the end; nil for relative links.
  private let base: String?

  static let path = "feed.xml"

  public init(_ catalogue: Catalog, site: String? = nil) {
    self.catalogue = catalogue
    base = site.map { site in String(site.reversed().drop { $0 == "/" }.reversed()) }
  }

  public var data: Data {
    let newestFirst = catalogue.entries.sorted { ($0.effective, $0.id) > ($1.effective, $1.id) }
    let updated = newestFirst.map(\.updated).max() ?? Instant(secondsSince1970: 0)
    let own = base.map { "  <link rel=\"self\" href=\"\(text("\($0)/\(CycleFeed.path)"))\"/>\n" } ?? ""
    return Data(
      """
      <?xml version="1.0" encoding="utf-8"?>
      <feed xmlns="http://www.w3.org/2005/Atom">
        <id>\(text(base.map { "\($0)/\(CycleFeed.path)" } ?? "urn:chartpipe:feed"))</id>
        <title>VFR charts and airports, by AIRAC cycle</title>
        <updated>\(updated)</updated>
        <author><name>Chartpipe</name></author>
      \(own)\(newestFirst.map(entry).joined())</feed>

      """.utf8)
  }

  private func entry(_ cycle: CycleEntry) -> String {
    """
      <entry>
        <id>urn:chartpipe:cycle:\(cycle.id):\(cycle.manifest.sha256)</id>
        <title>Cycle \(cycle.id), effective \(cycle.effective.day)</title>
        <updated>\(cycle.updated)</updated>
        <link rel="alternate" type="text/html" href="\(link("cycles/\(cycle.id)/report.html"))"/>
        <link rel="related" type="application/json" href="\(link(cycle.manifest.path))"/>
        <summary>\(text(summary(of: cycle)))</summary>
      </entry>

    """
  }

  private func link(_ path: String) -> String { text(base.map { "\($0)/\(path)" } ?? path) }

  /// `2 charts, 1 database, in force until 2026-12-24. Against cycle 2611: 1 new, 2 changed, 0 gone.`
  private func summary(of cycle: CycleEntry) -> String {
    let products = catalogue.products(of: cycle).own
    let usual: [Product.Kind] = [.chart, .database, .export]
    let others = Set(products.map(\.kind)).subtracting(usual).sorted { $0.rawValue < $1.rawValue }
    let counts = (usual + others).map { kind in (products.count { $0.kind == kind }, kind.rawValue) }
      .filter { $0.0 > 0 }.map { Counts.of($0.0, $0.1) }
    let held = counts.isEmpty ? "Nothing" : counts.joined(separator: ", ")
    return
      "\(held), in force until \(cycle.expires.day).\(heldBack(in: cycle))\(changes(of: products, in: cycle))"
  }

  /// ` Held back: vfr-sectional/Seattle (tiles-decode), nasr/aviation (failed).`
  private func heldBack(in cycle: CycleEntry) -> String {
    let held = (cycle.held ?? []).map { held in
      held.id + ((held.rule ?? (held.reason == .failed ? "failed" : nil)).map { " (\($0))" } ?? "")
    }
    return held.isEmpty ? "" : " Held back: \(held.joined(separator: ", "))."
  }

  /// Compared with the cycle before, if the catalogue has it.
  private func changes(of products: [Product], in cycle: CycleEntry) -> String {
    let earlier = catalogue.entries.filter { $0.effective < cycle.effective }.max {
      $0.effective < $1.effective
    }
    guard let earlier else { return "" }
    let before = Dictionary(
      first: catalogue.products(of: earlier).own.map { ($0.id, $0.files.map(\.sha256)) })
    let added = products.count { before[$0.id] == nil }
    let changed = products.count { product in
      before[product.id].map { $0 != product.files.map(\.sha256) } ?? false
    }
    let lacking = (cycle.held ?? []).map(\.id)
    let gone = Set(before.keys).subtracting(products.map(\.id) + lacking).count
    return " Against cycle \(earlier.id): \(added) new, \(changed) changed, \(gone) gone."
  }

  /// A catalogue may contain characters that XML does not allow.
  private func text(_ raw: String) -> String {
    escaped(
      String(String.UnicodeScalarView(raw.unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0xFFFE })))
  }
}

extension CycleEntry {
  /// A cycle that is not published has no other date.
  fileprivate var updated: Instant { published ?? effective }
}
