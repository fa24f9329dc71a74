internal import Geo
internal import Pipeline
internal import TileArchive

/// What a chart's build kept of its sheet, without which its tiles cannot be compared with anything. Every build of a single
/// chart keeps it, so a chart without it was changed afterwards, or was built by an older version.
struct SheetEvidence: ProductRule {
  let name = "sheet-evidence"
  let protects =
    "No chart is published whose tiles could not be compared with the sheet that they were made of."

  /// The mean square of the difference between two pixels in a cell that has print, and the share of the map's cells from which
  /// on the build finds pieces to keep.
  private static let printed = 160.0
  private static let share = 0.25

  func check(_ subject: ProductUnderTest) throws -> [Finding] {
    guard subject.product.kind == .chart, subject.isSingleChart else { return [] }
    if let missing = missingKeys(subject) { return missing }
    return [try pieces(subject), try picture(subject)].compactMap(\.self)
  }

  private func missingKeys(_ subject: ProductUnderTest) -> [Finding]? {
    let product = subject.product
    let missing = [("control", product.control == nil), ("reference", product.reference == nil)].filter(\.1)
      .map(\.0)
    guard !missing.isEmpty else { return nil }
    return missing.map {
      error(
        subject.place, "it has no `\($0)`, so its tiles cannot be compared with its sheet; build it again")
    }
  }

  /// Pieces of the sheet, which show where the tiles lie.
  private func pieces(_ subject: ProductUnderTest) throws -> Finding? {
    guard let control = subject.product.control else { return nil }
    guard control.projection != nil else {
      return warning(
        subject.place,
        "its sheet is in a projection that is not checked, so nothing shows where its tiles lie")
    }
    guard control.points.isEmpty else {
      return subject.file(role: Product.Control.role) == nil
        ? error(
          subject.place, "the pieces of its sheet are missing, so nothing shows where it lies; build it again"
        )
        : nil
    }
    return try hasPrint(subject)
      ? error(
        subject.place, "its `control` has no pieces, although its sheet is printed all over; build it again")
      : warning(subject.place, "too little is printed on its sheet to show where its tiles lie")
  }

  /// The coarse picture, which shows what the tiles must look like.
  private func picture(_ subject: ProductUnderTest) throws -> Finding? {
    guard subject.file(role: Product.Reference.role) != nil else {
      return error(
        subject.place,
        "the picture of its sheet is missing, so nothing shows what its tiles must look like; build "
          + "it again")
    }
    _ = try subject.reference
    return nil
  }

  private func hasPrint(_ subject: ProductUnderTest) throws -> Bool {
    guard let reference = try subject.reference, let neatline = subject.ownWords.neatline else {
      return false
    }
    let cells = reference.cells(within: neatline).enumerated().filter(\.element).map(\.offset)
    let printed = cells.count {
      reference.texture($0 % reference.columns, $0 / reference.columns) >= SheetEvidence.printed
    }
    return !cells.isEmpty && Double(printed) >= SheetEvidence.share * Double(cells.count)
  }
}

extension ProductUnderTest {
  /// A mosaic has no cut, no family, and the sheets or at least the outlines of several charts.
  fileprivate var isSingleChart: Bool {
    product.cut != nil || product.family != nil
      || (product.sources.count == 1 && (ownWords.neatline?.polygons.count ?? 1) <= 1)
  }
}
