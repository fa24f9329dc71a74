internal import Core
internal import Pipeline

/// The airports that an `rzflight` export holds.
struct AirportSelection {
  private let continents: Set<String>?
  private let airports: Set<String>?

  init(_ export: ExportDefinition) {
    continents = export.continents.map(Set.init)
    airports = export.airports.map(Set.init)
  }

  var isAll: Bool { continents == nil && airports == nil }

  /// `continents EU; airports EGKB LFAT`; nil when it holds all airports.
  var text: String? {
    let parts = [("continents", continents), ("airports", airports)].compactMap { name, values in
      values.map { "\(name) \($0.sorted().joined(separator: " "))" }
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  func contains(_ identity: String, on continent: String?) -> Bool {
    (airports?.contains(identity) ?? true)
      && (continents.map { wanted in continent.map(wanted.contains) ?? false } ?? true)
  }

  /// Throws when a listed airport is not among those that were found: an app's tests rely on each of them.
  func check(_ found: Set<String>) throws {
    let missing = (airports ?? []).subtracting(found).sorted()
    guard missing.isEmpty else {
      throw UserError(
        .badInput, operation: "selecting airports", path: missing.joined(separator: ", "),
        reason: "the sources have no such airport in use",
        suggestion: "Take it out of `airports` in the definition, or write the identifier that replaces it.")
    }
  }
}
