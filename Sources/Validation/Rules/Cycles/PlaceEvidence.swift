internal import Pipeline

/// Warns of a chart on which neither the printed airports nor the whole printed graticule were found: then nothing but the
/// FAA's own georeference says where it lies, in one direction at least. Where the printed edges contradict it, it is an error.
struct PlaceEvidence: CycleRule {
  let name = "place-evidence"
  let protects = "A chart counts as verified only if something printed on it confirms its place."

  /// Pixels of the sheet: farther than any good neatline was ever off, and nearer than the search for the graticule goes.
  private static let contradiction = 40.0
  private static let confirmation = 10.0

  func check(_ cycle: CycleUnderTest) -> [Finding] {
    cycle.products.compactMap { subject in
      let facts = cycle.allFacts(subject)
      let reasons = (facts.missing ?? []).filter { $0.source != .control }
      guard subject.product.control != nil, facts.airports == nil,
        reasons.contains(where: { $0.source == .graticule })
      else { return nil }
      let unfound = reasons.map(\.reason).joined(separator: "; ")
      if let doubt = subject.product.cut?.contradiction(noGraticule: facts.graticule == nil) {
        return finding(
          .error, subject, "",
          "\(unfound); and \(doubt), so it may be misplaced as a whole; compare the tiles with another map, and if the sheet "
            + "is right, correct its `neatline` or accept this")
      }
      return finding(
        .warning, subject, "",
        "its place rests on the FAA's files alone: \(unfound); compare the tiles with another map before you publish them"
      )
    }
  }

  fileprivate static func isFar(_ edge: Product.Cut.Edge) -> Bool {
    abs(edge.offset ?? 0) > contradiction && edge.isPrinted
  }

  fileprivate static func isNear(_ edge: Product.Cut.Edge) -> Bool {
    edge.offset.map { abs($0) <= confirmation } ?? false && edge.isPrinted
  }
}

extension Product.Cut {
  /// What the printed edges say against the place of the sheet; nil where they do not.
  fileprivate func contradiction(noGraticule: Bool) -> String? {
    guard source == .given else { return nil }
    if let edge = edges.first(where: PlaceEvidence.isFar) {
      return "its \(edge.name) is printed \(abs(edge.offset ?? 0)) pixels from where `neatline` has it"
    }
    let isSilent = edges.contains { $0.evidence == .unclear && $0.unmeasured == nil }
    guard noGraticule, isSilent, !edges.contains(where: PlaceEvidence.isNear) else { return nil }
    return "none of its edges is printed where `neatline` has it"
  }
}

extension Product.Cut.Edge {
  fileprivate var isPrinted: Bool { evidence == .frame || evidence == .step }
}
