internal import Core

/// A root and the decoded rows that everything below it is made from.
struct UnitWork: Sendable {
  let root: TileID
  let rows: SheetRows
}

/// Gives units in their order. While one row of them is worked on, the rows of the sheet for the next are decoded; those
/// of the last are released as soon as no unit has them any more.
final class UnitFeed {
  private let bands: SheetBands
  private var rest: ArraySlice<UnitPlan.Row>
  private var current: (units: ArraySlice<TileID>, rows: SheetRows)?
  /// Decodes the next row of units.
  private let decoder = ThreadPool<Result<SheetRows, any Error>>(width: 1)

  init(_ rows: [UnitPlan.Row], from bands: SheetBands) {
    self.bands = bands
    rest = rows[...]
    decodeNext()
  }

  func next() throws -> UnitWork? {
    while true {
      if let root = current?.units.popFirst(), let rows = current?.rows {
        return UnitWork(root: root, rows: rows)
      }
      current = nil
      guard let decoded = decoder.next(), let row = rest.popFirst() else { return nil }
      decodeNext()
      current = (row.units[...], try decoded.get())
    }
  }

  private func decodeNext() {
    guard let row = rest.first else { return }
    decoder.add { [bands] in Result { try bands.rows(row.sourceRows) } }
  }
}
