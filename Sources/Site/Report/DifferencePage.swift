internal import Core
internal import Foundation

/// The page of the changes between two databases, by state and with a search. It opens from disk.
struct DifferencePage {
  let difference: DatabaseDifference

  var data: Data { Data(html.utf8) }

  private var title: String { arrows(difference.title) }

  private var html: String {
    htmlPage(
      title: "Changes \(title)", style: [PackageResources.pages_css, PackageResources.changes_css],
      body: body)
  }

  private var body: String {
    """
    <header>
    <h1>Changes of cycle \(title)</h1>
    <p class="soft">\(difference.files.map(escaped).joined(separator: "<br>"))</p>
    <p><input type="search" id="search" placeholder="Search: KPAO, runway, 118.6 …" aria-label="Search"></p>
    </header>
    <main>
    \((summary + notCompared + sections).joined(separator: "\n"))
    </main>
    <footer><p>Not for navigation: check against current official sources.</p></footer>
    <script>
    \(String(decoding: PackageResources.changes_js, as: UTF8.self))
    </script>
    """
  }

  private var summary: [String] {
    let changes = difference.summary.compactMap { tally in
      tally.text.map { [escaped(tally.table), escaped($0)] }
    }
    let growth = difference.otherTables.map { table in
      [escaped(table.table), "\(Counts.grouped(table.old)) → \(Counts.grouped(table.new)) rows"]
    }
    let rows = changes + growth
    return [rows.isEmpty ? "<p>Nothing differs.</p>" : htmlTable(["Table", "Changes"], rows)]
  }

  private var notCompared: [String] {
    guard !difference.notCompared.isEmpty else { return [] }
    let items = difference.notCompared.map { "<li>\(escaped($0))</li>" }
    return ["<section><h2>Not compared</h2><ul>\(items.joined())</ul></section>"]
  }

  private var sections: [String] {
    let airports = difference.airportSections.map { section in
      list(section.title, section.airports, by: { $0.state ?? $0.country }) { airport in
        let lines = airport.lines.map { "<li>\(arrows($0))</li>" }.joined()
        return "<strong>\(escaped(airport.icao))</strong> \(escaped(airport.heading))<ul>\(lines)</ul>"
      }
    }
    let kinds =
      [
        ("Navaids", difference.navaids), ("Fixes", difference.fixes), ("Airspaces", difference.airspaces),
        ("Procedures", difference.procedures), ("Holds", difference.holds), ("Routes", difference.routes),
      ] + (difference.tables ?? []).map { ($0.table, $0.items) }
    let items = kinds.map { title, items in
      list(title, items, by: \.state) { item in
        arrows(item.line) + (item.kind.isEmpty ? "" : " <small>\(escaped(item.kind))</small>")
      }
    }
    return (airports + items + [obstacles]).filter { !$0.isEmpty }
  }

  /// Groups by state; items without a state come last.
  private func list<Item>(
    _ title: String, _ items: [Item], by state: (Item) -> String?, _ html: (Item) -> String
  ) -> String {
    guard !items.isEmpty else { return "" }
    let states = Dictionary(grouping: items) { state($0) ?? "" }.sorted {
      ($0.key.isEmpty ? "~" : $0.key) < ($1.key.isEmpty ? "~" : $1.key)
    }
    let open = items.count <= 40 ? " open" : ""
    let groups = states.map { name, items in
      """
      <details\(open)><summary>\(name.isEmpty ? "Elsewhere" : escaped(name)) <small>\(items.count)</small></summary>
      <ul class="changes">
      \(items.map { "<li>\(html($0))</li>" }.joined(separator: "\n"))
      </ul></details>
      """
    }
    return """
      <section>
      <h2>\(escaped(title)) <small>\(Counts.grouped(items.count))</small></h2>
      \(groups.joined(separator: "\n"))
      </section>
      """
  }

  private var obstacles: String {
    guard !difference.obstacles.isEmpty else { return "" }
    let headings = ["State", "Added", "Removed", "Changed", "Tallest added"]
    let rows = difference.obstacles.map { state in
      [
        escaped(state.state), Counts.grouped(state.added), Counts.grouped(state.removed),
        Counts.grouped(state.changed), state.tallestAdded.map { Counts.grouped($0) + " ft" } ?? "",
      ]
    }
    return "<section><h2>Obstacles</h2>\n\(htmlTable(headings, rows))\n</section>"
  }
}
