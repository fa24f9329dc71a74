internal import Core
internal import ImageIO

/// Checks the evidence of its sheet that every build of a single chart saves: reference patches, a coarse picture, the cut and the
/// placement. A chart without it was changed after the build, or was built by an older version.
struct SheetEvidenceRule: Rule {
  let name = "sheet-evidence"
  let protects =
    "No chart is published whose tiles cannot be compared with the sheet that they were made from."

  /// The mean square of the difference between two pixels in a printed cell, and the share of printed cells with which the build
  /// always finds reference patches.
  private static let printed = 160.0
  private static let share = 0.25
  /// Pixels of the sheet.
  private static let placementLimit = 1.5

  func check(_ subject: ProductUnderTest) throws -> [Finding] {
    guard subject.product.kind == .chart, subject.isSingleChart else { return [] }
    let product = subject.product
    let missing = [
      ("control", product.control == nil, "its tiles cannot be compared with its sheet"),
      ("cut", product.cut == nil, "nothing shows where the map ends on its sheet"),
      ("reference", product.reference == nil, "its tiles cannot be compared with its sheet"),
      (
        "placement", (product.placement ?? []).isEmpty, "nothing shows where the FAA's files place its sheet"
      ),
    ].filter(\.1)
    guard missing.isEmpty else {
      return missing.map { error(subject.place, "it has no `\($0)`, so \($2); build it again") }
    }
    return [placement(subject), outline(subject), try patches(subject), try picture(subject)].compactMap(
      \.self)
  }

  /// The build stops if a file places the sheet elsewhere, so no unchanged product can contain such a placement.
  private func placement(_ subject: ProductUnderTest) -> Finding? {
    let placements = subject.product.placement ?? []
    let isOdd = placements.contains { placement in
      placement.outcome == .agrees
        && placement.pixels.map { !(0...SheetEvidenceRule.placementLimit).contains($0) } ?? false
    }
    if isOdd {
      return error(
        subject.place,
        "its `placement` lists files as agreeing that place the sheet elsewhere; it was changed after the build, so "
          + "build it again")
    }
    guard !placements.isEmpty, placements.allSatisfy({ $0.outcome == .missing }) else { return nil }
    return warning(
      subject.place,
      "no file beside the image says where the sheet lies, so its georeference could not be compared")
  }

  /// An outline has at least three edges.
  private func outline(_ subject: ProductUnderTest) -> Finding? {
    guard let cut = subject.product.cut, cut.edges.count < 3 else { return nil }
    return error(
      subject.place,
      "its `cut` has \(Counts.of(cut.edges.count, "edge")), so nothing shows where the map ends; build it again"
    )
  }

  /// Checks the reference patches, which show where the tiles lie.
  private func patches(_ subject: ProductUnderTest) throws -> Finding? {
    guard let control = subject.product.control else { return nil }
    guard control.projection != nil else {
      return warning(
        subject.place,
        "its sheet is in an unsupported projection, so nothing shows where its tiles lie")
    }
    let patches = control.points + (control.inkPoints ?? [])
    guard patches.isEmpty || subject.file(role: .control) != nil else {
      return error(
        subject.place,
        "the reference patches of its sheet are missing, so nothing shows where it lies; build it again")
    }
    guard control.points.isEmpty else { return nil }
    let cells = try printedCells(subject)
    if Double(cells.printed) >= SheetEvidenceRule.share * Double(max(1, cells.all)) {
      return error(
        subject.place,
        "its `control` has no reference patches, although its sheet is printed all over; build it again")
    }
    return patches.isEmpty && cells.all == 0
      ? warning(subject.place, "nothing of its sheet was saved to compare its tiles with") : nil
  }

  /// Checks the coarse picture, which shows what the tiles must look like.
  private func picture(_ subject: ProductUnderTest) throws -> Finding? {
    guard subject.file(role: .reference) != nil else {
      return error(
        subject.place,
        "the picture of its sheet is missing, so nothing shows what its tiles must look like; build "
          + "it again")
    }
    _ = try subject.reference
    return nil
  }

  /// Counts the cells inside the neatline, and those in a printed block of four: a single line, such as one of the graticule, does
  /// not show a shift along it.
  private func printedCells(_ subject: ProductUnderTest) throws -> (printed: Int, all: Int) {
    guard let reference = try subject.reference, let neatline = subject.embedded.neatline else {
      return (0, 0)
    }
    let columns = reference.columns
    let inside = reference.cells(within: neatline)
    let printed = inside.indices.map {
      inside[$0] && reference.texture($0 % columns, $0 / columns) >= SheetEvidenceRule.printed
    }
    func isBlock(_ start: Int) -> Bool {
      start >= 0 && start % columns + 1 < columns && start + columns + 1 < printed.count
        && printed[start] && printed[start + 1] && printed[start + columns] && printed[start + columns + 1]
    }
    let isInBlock = printed.indices.filter { cell in
      printed[cell] && [0, 1, columns, columns + 1].contains { isBlock(cell - $0) }
    }
    return (isInBlock.count, inside.count(where: \.self))
  }
}

extension ProductUnderTest {
  /// Whether the product is neither a mosaic nor another image than a chart. A mosaic has no cut, no family, and several sources or
  /// outlines; another image has samples.
  fileprivate var isSingleChart: Bool {
    guard !isOfImage else { return false }
    return product.cut != nil || product.family != nil
      || (product.sources.count == 1 && (embedded.neatline?.polygons.count ?? 1) <= 1)
  }
}

/// Reports places where the source is damaged: rows and columns without any print, repeated rows, and rectangles of one colour.
struct SheetBlanks: Rule {
  let name = "sheet-blanks"
  let protects = "A part of the map that is missing from the source is never published unnoticed."

  func check(_ subject: ProductUnderTest) throws -> [Finding] {
    let reference = subject.product.reference
    let blanks = (reference?.doubts ?? []).map { warning(subject.place, $0) }
    return try blanks
      + ([reference?.repetition].compactMap(\.self) + plainAreas(subject)).map { error(subject.place, $0) }
  }

  private func plainAreas(_ subject: ProductUnderTest) throws -> [String] {
    guard let neatline = subject.embedded.neatline, let reference = try subject.reference else { return [] }
    return PlainAreas(reference, within: neatline).found.map { area in
      let cell = subject.product.reference?.cell ?? 0
      return
        "columns \(area.columns.lowerBound * cell) to \((area.columns.upperBound + 1) * cell - 1) in rows "
        + "\(area.rows.lowerBound * cell) to \((area.rows.upperBound + 1) * cell - 1) of its sheet have the colour \(area.color.hex) and "
        + "no print, unlike everything around them, so the source has lost the map there; download it again, or if it is printed "
        + "so, accept this"
    }
  }
}
