internal import Pipeline

/// Warns of a chart on which neither the printed airports nor the whole printed graticule were found: then nothing but the
/// FAA's own georeference says where it lies, in one direction at least.
struct PlaceEvidence: CycleRule {
  let name = "place-evidence"
  let protects = "Nobody takes a chart for verified whose place nothing printed on it has confirmed."

  func check(_ cycle: CycleUnderTest) -> [Finding] {
    cycle.products.compactMap { subject in
      let facts = cycle.allFacts(subject)
      let reasons = (facts.missing ?? []).filter { $0.source != .control }
      guard subject.product.control != nil, facts.airports == nil,
        reasons.contains(where: { $0.source == .graticule })
      else { return nil }
      return finding(
        .warning, subject, "",
        "its place rests on the FAA's files alone: \(reasons.map(\.reason).joined(separator: "; ")); compare the tiles with "
          + "another map before you publish them")
    }
  }
}
