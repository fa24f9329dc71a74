internal import Core

/// Compares the size and the SHA-256 of each file with the description.
struct ProductHash: Rule {
  let name = "product-hash"
  let protects = "What an app downloads is what was validated, whole and unchanged."

  func check(_ subject: ProductUnderTest) throws -> [Finding] {
    guard !subject.product.files.isEmpty else { return [error(subject.place, "it lists no file")] }
    return subject.product.files.compactMap { file in
      problem(with: file, of: subject).map { error(subject.place, $0) }
    }
  }

  private func problem(with file: Product.File, of subject: ProductUnderTest) -> String? {
    guard let url = subject.url(of: file) else { return "the file \(file.path) is not in its folder" }
    guard let size = url.byteCount, let hash = try? subject.hashes.sha256(of: url) else {
      return "the file \(file.path) cannot be read"
    }
    guard size == file.bytes else {
      return "the file \(file.path) has \(Counts.grouped(size)) bytes, not \(Counts.grouped(file.bytes))"
    }
    return hash == file.sha256
      ? nil : "the file \(file.path) was changed: its SHA-256 is \(hash), not \(file.sha256)"
  }
}

/// Compares the dates of a product with the calendar and with the metadata in its file.
struct ProductDates: Rule {
  let name = "product-dates"
  let protects =
    "No pilot flies with a chart that has expired, or that is labelled with another cycle's dates."

  func check(_ subject: ProductUnderTest) -> [Finding] {
    let product = subject.product
    return (calendarProblems(product) + disagreements(product, subject.embedded)).map {
      error(subject.place, $0)
    }
  }

  private func calendarProblems(_ product: Product) -> [String] {
    if case .day(let day) = product.edition, AiracCycle(effective: day) == nil {
      return ["no issue took effect on the edition's day, \"\(day)\""]
    }
    let editions = ProductDates.editions(product).filter { $0.issue == product.edition }
    guard let edition = editions.first else {
      return ["the edition of \(product.edition) is not the one in force in cycle \(product.cycle.dated)"]
    }
    // If both cadences begin on the same day, the description does not show which one a chart has; `source-dates` finds it on the
    // chart's page.
    let ends = editions.map(\.expires)
    return [
      product.effectiveDate == edition.effective
        ? nil
        : "effectiveDate is \(product.effectiveDate), but this edition took effect at \(edition.effective)",
      ends.contains(product.expirationDate)
        ? nil
        : "expirationDate is \(product.expirationDate), but this edition ends at "
          + ends.map(\.description).joined(separator: " or "),
    ].compactMap(\.self)
  }

  /// The editions that a product of its cycle can have.
  private static func editions(_ product: Product) -> [Edition] {
    let cycle = product.cycle
    // A database is built for every cycle; a family of charts may have either cadence.
    return (product.isOfDatabase ? [.every28Days] : Schedule.cadences).map(cycle.edition)
  }

  /// Other rules report files without metadata.
  private func disagreements(_ product: Product, _ own: EmbeddedMetadata) -> [String] {
    // A chart's archive names the first cycle of its edition, since the same archive is published in all of them.
    let first = own.cycle.flatMap { AiracCycle($0) }.map { IssueDate.day($0.effectiveDay) }
    let cycle = product.kind == .chart && first == product.edition ? nil : own.cycle
    return [
      ("cycle", product.cycle.description, cycle),
      ("effectiveDate", product.effectiveDate.description, own.effective),
      ("expirationDate", product.expirationDate.description, own.expires),
    ].compactMap { key, stated, found in
      guard let found, found != stated else { return nil }
      return "\(key) is \(stated), but its file says \(found)"
    }
  }
}

/// Compares the dates inside of the sources with the product's cycle.
struct SourceDates: Rule {
  let name = "source-dates"
  let protects = "No chart or table of another month is published as this month's."

  /// Nothing is older in a source than its previous edition.
  private static let editionsBefore = 2

  func check(_ subject: ProductUnderTest) -> RuleResult {
    let product = subject.product
    let wrong = product.sources.flatMap { source in
      (source.dates ?? []).compactMap { problem($0, product) }.map {
        error("\(subject.place) source \(source.url)", $0)
      }
    }
    // Every build of a chart records these.
    guard product.cut != nil, product.placement != nil, product.sources.allSatisfy({ $0.dates == nil }) else {
      return RuleResult(wrong)
    }
    var result = RuleResult(missing: .dates, of: subject, "nothing in its source states its edition")
    result.findings =
      wrong + [
        warning(
          subject.place,
          "nothing in its source states its edition; compare the dates that are printed on it with those of its edition, "
            + "\(product.effectiveDate) to \(product.expirationDate)")
      ] + product.sources.compactMap { oldness($0, product) }.map { warning(subject.place, $0) }
    return result
  }

  /// Nil for an image that was written when its edition should have been.
  private func oldness(_ source: Product.Source, _ product: Product) -> String? {
    guard let written = source.written, let day = CalendarDay(written) else { return nil }
    let (effective, expires) = (product.effectiveDate.day, product.expirationDate.day)
    let length = expires.daysSince1970 - effective.daysSince1970
    let earliest = effective.adding(days: -SourceDates.editionsBefore * length)
    guard day < earliest || expires <= day else { return nil }
    return
      "its image in \(source.url) was written on \(written), which does not suit an edition of \(effective) to \(expires)"
  }

  private func problem(_ date: Product.StatedDate, _ product: Product) -> String? {
    let expected = SourceDates.day(date, product)
    guard date.from == expected else {
      return
        "\(date.place) says \(date.from), and in cycle \(product.cycle) it must be \(expected ?? "undated")"
    }
    guard let until = date.until else { return nil }
    return CalendarDay(until)?.adding(days: 1) == product.expirationDate.day
      ? nil : "\(date.place) ends on \(until), but the product expires at \(product.expirationDate)"
  }

  /// Tables have two cadences; other files of a subscription have the date of the cycle, and a chart's page that of its edition.
  private static func day(_ date: Product.StatedDate, _ product: Product) -> String? {
    guard product.isOfDatabase else { return product.edition.description }
    guard date.place.hasSuffix(".csv") else { return product.cycle.effectiveDay.description }
    return EffectiveDates.day(of: String(date.place.dropLast(4)), in: product.cycle)?.description
  }
}

/// Compares a product's bounds, zooms and format with the metadata in its file.
struct ProductBounds: Rule {
  let name = "product-bounds"
  let protects = "The app offers the chart in the right place, and never requests a zoom that it lacks."

  func check(_ subject: ProductUnderTest) -> [Finding] {
    let (product, own) = (subject.product, subject.embedded)
    let problems = [
      product.kind == .chart ? chartProblem(product, own) : databaseProblem(product, own),
      difference("minZoom", product.minZoom, own.minZoom),
      difference("maxZoom", product.maxZoom, own.maxZoom),
      own.format.flatMap { difference("format", product.format, $0) },
    ]
    return problems.compactMap(\.self).map { error(subject.place, $0) }
  }

  private func chartProblem(_ product: Product, _ own: EmbeddedMetadata) -> String? {
    guard let box = product.boundingBox else { return "it has no boundingBox" }
    guard let bounds = own.bounds else { return nil }
    guard box.isNear(bounds) else {
      return "boundingBox is \(box.text), but its file says \(bounds.text)"
    }
    let (stated, found) = (product.boundingBoxes ?? [], own.windows ?? [])
    let areNear = stated.count == found.count && zip(stated, found).allSatisfy { $0.isNear($1) }
    return areNear
      ? nil : "boundingBoxes is \(ProductBounds.text(stated)), but its file says \(ProductBounds.text(found))"
  }

  private static func text(_ boxes: [GeoBox]) -> String {
    boxes.isEmpty ? "missing" : boxes.map(\.text).joined(separator: " and ")
  }

  /// The airports must lie in the box; other tables may reach farther.
  private func databaseProblem(_ product: Product, _ own: EmbeddedMetadata) -> String? {
    guard let box = product.boundingBox, let extent = own.bounds, !box.contains(extent) else { return nil }
    return "boundingBox is \(box.text), but its airports reach over \(extent.text)"
  }

  private func difference<Value: Equatable>(_ key: String, _ stated: Value?, _ found: Value?) -> String? {
    guard stated != found, let found else { return nil }
    return "\(key) is \(stated.map { "\($0)" } ?? "missing"), but its file says \(found)"
  }
}

extension GeoBox {
  /// Whether the boxes agree to about a metre, more than conversions to text lose.
  fileprivate func isNear(_ other: GeoBox) -> Bool {
    let slack = 0.00001
    return [west - other.west, south - other.south, east - other.east, north - other.north]
      .allSatisfy { abs($0) <= slack }
  }

  fileprivate var text: String { "\(west),\(south),\(east),\(north)" }
}

/// Compares the tile size in a chart's description with a tile.
struct ProductTileSize: Rule {
  let name = "product-tile-size"
  let protects = "The app draws each tile as large as the ground that it shows."

  func check(_ subject: ProductUnderTest) throws -> [Finding] {
    guard subject.product.kind == .chart, let tiles = subject.tiles else { return [] }
    let (stated, found) = (subject.product.tileSize ?? 256, try TilePainter(tiles).tileSize)
    guard stated != found else { return [] }
    return [error(subject.place, "tileSize is \(stated), but its tiles have \(found) pixels a side")]
  }
}

/// Compares the metadata of a product's MBTiles and PMTiles. `tile-hash` compares the tiles of each with the hash in the metadata.
struct ProductArchives: Rule {
  let name = "product-archives"
  let protects = "A streamed chart is the same as a downloaded one."

  func check(_ subject: ProductUnderTest) throws -> [Finding] {
    guard let tiles = subject.file(role: .tiles), let streamed = subject.file(role: .pmtiles) else {
      return []
    }
    let one = try MBTilesReader(opening: tiles).metadata()
    let other = try PMTilesReader(opening: streamed).metadata()
    let differing = Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }
    return differing.sorted().map {
      error(subject.place, "`\($0)` is not the same in its MBTiles and its PMTiles")
    }
  }
}
