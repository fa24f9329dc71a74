internal import Core
internal import Pipeline

/// What changed in a database since the last cycle.
struct ChangeList {
  private let changes: ChangeDigest

  init(_ changes: ChangeDigest) { self.changes = changes }

  var html: String {
    "<h4>Changes \(escaped(changes.title))</h4>\n\(body)"
  }

  private var body: String {
    if let failure = changes.failure {
      return "<p class=\"unseen\">They could not be compared: \(escaped(failure))</p>"
    }
    guard !changes.groups.isEmpty else { return "<p>Nothing that a pilot looks for has changed.</p>" }
    return changes.groups.map(group).joined(separator: "\n") + all
  }

  private var all: String {
    changes.link.map { "\n<p><a href=\"\(escaped($0))\">All changes, with a search</a></p>" } ?? ""
  }

  private func group(_ group: ChangeDigest.Group) -> String {
    let rest = group.count - group.lines.count
    let more =
      rest > 0 && group.title != "Obstacles" ? "<li class=\"soft\">and \(Counts.grouped(rest)) more</li>" : ""
    return """
      <details><summary>\(group.title) <small>\(Counts.grouped(group.count))</small></summary>
      <ul class="changes">\(group.lines.map { "<li>\($0)</li>" }.joined(separator: "\n"))\(more)</ul></details>
      """
  }
}

/// What of the FAA's data a database could not use, or what of a database an export could not express.
struct ProblemList {
  private let problems: ProblemDigest
  private let title: String
  private let none: String

  init(_ problems: ProblemDigest, of kind: Product.Kind) {
    self.problems = problems
    (title, none) =
      kind == .export
      ? ("What of the database this form cannot express", "It expresses all of it.")
      : ("What of the FAA's data could not be used as it is", "All of it could be used.")
  }

  private static let shown = 8
  private static let kinds = [
    ("tableMissing", "table that the cycle lacks", "tables that the cycle lacks"),
    ("columnMissing", "column that the cycle lacks", "columns that the cycle lacks"),
    ("rowDropped", "row dropped", "rows dropped"),
    (
      "rowOrphaned", "row left out: what it belongs to is not there",
      "rows left out: what they belong to is not there"
    ),
    ("rowRepeated", "row that is there twice", "rows that are there twice"),
    ("fieldDropped", "field left empty", "fields left empty"),
    ("unknownCode", "unknown code", "unknown codes"),
    ("identifierChanged", "identifier changed", "identifiers changed"),
    ("shapeMended", "boundary mended", "boundaries mended"),
    ("valueMapped", "value that has the nearest word", "values that have the nearest word"),
  ]

  var html: String {
    let totals = ProblemList.kinds.compactMap { kind, one, many in
      problems.totals[kind].map { "<li>\(Counts.grouped($0)) \($0 == 1 ? one : many)</li>" }
    }
    let list = totals.isEmpty ? "<p>\(none)</p>" : "<ul>\(totals.joined())</ul>"
    return "<h4>\(title)</h4>\n\(list)\(sorts)\(corrections)"
  }

  private var sorts: String {
    guard !problems.sorts.isEmpty else { return "" }
    let words = Dictionary(ProblemList.kinds.map { ($0.0, ($0.1, $0.2)) }) { first, _ in first }
    let items = problems.sorts.map { sort in
      let kind = words[sort.kind].map { sort.count == 1 ? $0.0 : $0.1 } ?? escaped(sort.kind)
      let place = [sort.file, sort.column].compactMap(\.self).map(escaped).joined(separator: " ")
      let example = sort.example.map { "<br><small>such as \(escaped($0))</small>" } ?? ""
      return "<li><code>\(place)</code> \(Counts.grouped(sort.count)) \(kind)\(example)</li>"
    }
    let rest =
      problems.sortsLeftOut > 0 ? "<li>and \(Counts.of(problems.sortsLeftOut, "more sort"))</li>" : ""
    return """

      <details><summary>Where, with an example of each</summary>
      <ul class="changes">\(items.joined(separator: "\n"))\(rest)</ul></details>
      """
  }

  private var corrections: String {
    guard !problems.corrections.isEmpty else { return "" }
    let used = problems.corrections.count { $0.ending == "used" }
    let items = problems.corrections.map { correction in
      let isUsed = correction.ending == "used"
      return "<li>\(isUsed ? "" : "<strong>To look at:</strong> ")\(escaped(correction.text))</li>"
    }
    return """

      <details><summary>\(Counts.of(problems.corrections.count, "correction")), \(Counts.grouped(used)) used</summary>
      <ul class="changes">\(items.joined(separator: "\n"))</ul></details>
      """
  }
}
