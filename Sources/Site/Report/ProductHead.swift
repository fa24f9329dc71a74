internal import Core
internal import Pipeline
internal import Validation

/// What every card begins with: the product's name, its dates, and whether something was found.
struct ProductHead {
  private let product: Product
  private let findings: [ProductFinding]

  init(_ product: Product, _ findings: [ProductFinding]) {
    self.product = product
    self.findings = findings
  }

  var html: String {
    """
    <header>
    <h3>\(escaped(product.name))</h3>
    <p class="soft">\(escaped(product.id))<br>Edition \(day(product.edition)), in force \(day(product.effectiveDate)) to \(day(product.expirationDate))</p>
    \(badges)
    </header>
    """
  }

  private var badges: String {
    let errors = findings.count { $0.accepted == nil && $0.severity == .error }
    let warnings = findings.count { $0.accepted == nil && $0.severity == .warning }
    let accepted = findings.count { $0.accepted != nil }
    let badges = [
      (errors, "bad", Counts.of(errors, "error"), "errors"),
      (warnings, "doubt", Counts.of(warnings, "warning"), "warnings"),
      (accepted, "doubt", "\(Counts.grouped(accepted)) accepted", "accepted"),
    ].filter { $0.0 > 0 }
    guard !badges.isEmpty else { return "" }
    let links = badges.map { "<a class=\"badge \($0.1)\" href=\"#\($0.3)\">\($0.2)</a>" }
    return "<p>\(links.joined(separator: " "))</p>"
  }
}

/// The files of a product, folded: where they are, and what their bytes must be.
struct ProductFiles {
  private let product: Product
  private let isStaged: Bool

  init(_ product: Product, isStaged: Bool) {
    self.product = product
    self.isStaged = isStaged
  }

  var html: String {
    let items = product.allFiles.map { file in
      "<li>\(link(file)) <small>\(escaped(file.role)), \(Counts.bytes(file.bytes))</small><br>"
        + "<code>\(file.sha256)</code></li>"
    }
    return """
      <details class="files"><summary>\(Counts.of(product.allFiles.count, "file"))</summary>
      <ul class="plain">\(items.joined(separator: "\n"))</ul></details>
      """
  }

  /// Relative to the report's own place.
  private func link(_ file: Product.File) -> String {
    let name = escaped(file.path.split(separator: "/").last.map(String.init) ?? file.path)
    let ending = file.path.split(separator: ".").last.map { ".\($0)" } ?? "file"
    return isStaged ? "<a href=\"../../\(escaped(file.path))\">\(escaped(ending))</a>" : name
  }
}
