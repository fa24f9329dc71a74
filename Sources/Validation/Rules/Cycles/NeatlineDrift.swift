internal import Pipeline

/// The measured edges of each chart against those of its last cycle: a sheet that was laid out anew shows there first.
struct NeatlineDrift: CycleRule {
  let name = "neatline-drift"
  let protects = "A sheet that the FAA laid out anew is not cut as the old one was."

  /// Pixels of the sheet.
  private static let limit = 3.0

  func check(_ cycle: CycleUnderTest) -> [Finding] {
    cycle.products.flatMap { subject -> [Finding] in
      guard let before = cycle.before(subject, where: { $0.cut != nil })?.product, let old = before.cut,
        let cut = subject.product.cut
      else { return [] }
      return zip(old.edges, cut.edges).compactMap { old, new in
        drift(from: old, to: new).map { drift in
          finding(
            .warning, subject, new.name,
            "it lies \(drift) pixels from where cycle \(before.cycle) had it; "
              + "check whether the FAA changed the sheet's layout, and correct `neatline`")
        }
      }
    }
  }

  /// Nil for none that matters. Edges that are defined in another way have other offsets.
  private func drift(from old: Product.Cut.Edge, to new: Product.Cut.Edge) -> Double? {
    guard old.kind == new.kind, old.values == new.values, let before = old.offset, let now = new.offset
    else { return nil }
    let drift = (abs(now - before) * 10).rounded() / 10
    return drift > NeatlineDrift.limit ? drift : nil
  }
}
