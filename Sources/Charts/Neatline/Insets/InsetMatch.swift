internal import Core
internal import Pipeline

/// Compares the insets that were found with those that the definition lists.
struct InsetMatch {
  private let expected: [InsetDefinition]
  private let neatline: Neatline
  private let projection: SheetProjection

  /// - Parameter expected: those that lie outside of the neatline, or in one of its masks, are no longer looked for.
  init(_ expected: [InsetDefinition], neatline: Neatline, projection: SheetProjection) {
    self.neatline = neatline
    self.projection = projection
    self.expected = expected.filter { inset in
      guard let near = inset.near else { return true }
      let pixels = near.lattice.compactMap { projection.pixel(of: $0) }
      return pixels.count { neatline.contains($0) } * 4 > pixels.count
    }
  }

  /// From north to south, without rectangles that others make up or hold.
  func results(
    _ judged: [JudgedInset]
  ) -> (insets: [Product.Cut.Inset], masks: [[NeatlineDefinition.Edge]]) {
    var (insets, masks): ([Product.Cut.Inset], [[NeatlineDefinition.Edge]]) = ([], [])
    var missing = expected
    for one in single(judged) {
      guard let box = one.inset.box(on: projection), let mask = one.inset.mask(on: projection) else {
        continue
      }
      let names = missing.filter { $0.near?.covers(box) ?? false }
      missing.removeAll { names.contains($0) }
      guard one.isNotable || !names.isEmpty else { continue }
      let isMasked = one.isClear || (!names.isEmpty && one.isLikely)
      let (columns, rows) = (one.inset.columns, one.inset.rows)
      insets.append(
        Product.Cut.Inset(
          name: names.isEmpty ? nil : names.map(\.name).joined(separator: ", "),
          verdict: isMasked ? .masked : .unclear, columns: [columns.lowerBound, columns.upperBound],
          rows: [rows.lowerBound, rows.upperBound], box: box, evidence: one.evidence))
      if isMasked { masks.append(mask) }
    }
    // A listed inset without a place may be any that was found.
    for index in insets.indices where insets[index].name == nil {
      guard let first = missing.firstIndex(where: { $0.near == nil }) else { break }
      insets[index].name = missing.remove(at: first).name
    }
    insets += missing.map {
      Product.Cut.Inset(
        name: $0.name, verdict: .missing, columns: nil, rows: nil, box: $0.near ?? neatline.bounds,
        evidence: nil)
    }
    return (insets, masks)
  }

  /// Insets that share a band make several rectangles: those that are made up of smaller ones go, and so do those that lie in
  /// another one.
  private func single(_ judged: [JudgedInset]) -> [JudgedInset] {
    var kept: [JudgedInset] = []
    for one in judged.sorted(by: {
      ($0.inset.area, $0.inset.rows.lowerBound) < ($1.inset.area, $1.inset.rows.lowerBound)
    }) {
      let inner = kept.filter { $0.inset.overlap(with: one.inset) * 10 >= $0.inset.area * 9 }
      let covered = inner.map(\.inset.area).reduce(0, +)
      if covered * 20 >= one.inset.area * 17 { continue }
      if !one.isClear, inner.contains(where: \.isClear) { continue }
      kept.removeAll { keeper in
        inner.contains { $0.inset.rows == keeper.inset.rows && $0.inset.columns == keeper.inset.columns }
      }
      kept.append(one)
    }
    return kept.sorted {
      ($0.inset.rows.lowerBound, $0.inset.columns.lowerBound) < (
        $1.inset.rows.lowerBound, $1.inset.columns.lowerBound
      )
    }
  }
}

extension GeoBox {
  /// Some places all over it.
  var lattice: [GeoPoint] {
    (0..<25).map { number in
      let (across, down) = (Double(2 * (number % 5) + 1) / 10, Double(2 * (number / 5) + 1) / 10)
      return GeoPoint(longitude: west + (east - west) * across, latitude: south + (north - south) * down)
    }
  }

  /// Whether a good part of one of the two boxes lies in the other one, at any turn about the pole.
  fileprivate func covers(_ other: GeoBox) -> Bool {
    let turn = ((west + east - other.west - other.east) / 720).rounded() * 360
    let width = min(east, other.east + turn) - max(west, other.west + turn)
    let height = min(north, other.north) - max(south, other.south)
    guard width > 0, height > 0 else { return false }
    let smaller = min(
      (east - west) * (north - south), (other.east - other.west) * (other.north - other.south))
    return width * height >= 0.3 * smaller
  }
}
