internal import Pipeline
internal import Validation

/// Holds the measured edges of each chart against those of its last cycle in the site: a sheet that was laid out anew
/// shows there first.
struct CutDrift {
  /// Pixels of the sheet.
  private static let limit = 3.0

  func findings(of products: [Product], after earlier: EarlierProducts) -> [ProductFinding] {
    products.flatMap { product -> [ProductFinding] in
      guard let before = earlier.last(product.id, where: { $0.cut != nil }), let old = before.cut,
        let cut = product.cut
      else { return [] }
      return zip(old.edges, cut.edges).compactMap { old, new in
        drift(from: old, to: new).map { drift in
          ProductFinding(
            product: product.id,
            Finding(
              rule: "neatline-drift", severity: .warning, where: new.name,
              message: "it lies \(drift) pixels from where cycle \(before.cycle) had it; "
                + "look whether the sheet was laid out anew, and mend `neatline`"))
        }
      }
    }
  }

  /// Nil for none that matters. Edges that are defined in another way have other offsets.
  private func drift(from old: Product.Cut.Edge, to new: Product.Cut.Edge) -> Double? {
    guard old.kind == new.kind, old.values == new.values, let before = old.offset, let now = new.offset
    else { return nil }
    let drift = (abs(now - before) * 10).rounded() / 10
    return drift > CutDrift.limit ? drift : nil
  }
}
