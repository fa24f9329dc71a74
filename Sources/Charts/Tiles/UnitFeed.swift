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
  private var ahead: Task<SheetRows, any Error>?

  init(_ rows: [UnitPlan.Row], from bands: SheetBands) {
    self.bands = bands
    rest = rows[...]
  }

  deinit { ahead?.cancel() }

  func next() async throws -> UnitWork? {
    while true {
      if let root = current?.units.popFirst(), let rows = current?.rows {
        return UnitWork(root: root, rows: rows)
      }
      current = nil
      guard let row = rest.popFirst() else { return nil }
      let decoded = try await (ahead ?? decode(row)).value
      ahead = rest.first.map(decode)
      current = (row.units[...], decoded)
    }
  }

  private func decode(_ row: UnitPlan.Row) -> Task<SheetRows, any Error> {
    Task { [bands] in try await bands.rows(row.sourceRows) }
  }
}
