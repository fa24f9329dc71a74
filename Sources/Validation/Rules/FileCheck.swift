internal import Foundation
internal import Pipeline

/// All that is asked of one file, whatever it is.
struct FileCheck {
  struct Result {
    var findings: [Finding]
    var facts = ProductFacts()
  }

  private let subject: SubjectList.Subject
  private let jobs: Int

  init(_ subject: SubjectList.Subject, jobs: Int) {
    self.subject = subject
    self.jobs = jobs
  }

  func result(advanced: @escaping (_ done: Int, _ total: Int) -> Void) throws -> Result {
    do {
      switch subject.kind {
      case .archive:
        let archive = try opening {
          try ArchiveUnderTest(subject.url, place: subject.place, reference: reference)
        }
        let findings = try ArchiveCheck(archive: archive, jobs: jobs, advanced: advanced).findings()
        return Result(findings: findings, facts: archive.facts)
      case .database:
        let open = { @Sendable in try DatabaseUnderTest(subject.url, place: subject.place, of: description) }
        return Result(findings: try findings(in: opening(open), open))
      case .airports:
        let database = try opening { try DatabaseUnderTest(subject.url, place: subject.place) }
        return Result(findings: try ExportCheck.findings(inAirports: database))
      case .lines:
        let lines = try opening { try LinesUnderTest(subject.url, place: subject.place) }
        return Result(findings: try ExportCheck.findings(in: lines))
      case .product:
        let product = try opening { try ProductUnderTest(subject.url, place: subject.place) }
        return Result(findings: try ProductCheck(product: product).findings(), facts: product.facts)
      }
    } catch let unopened as Unopened {
      return Result(
        findings: [Readable().error(subject.place, "it cannot be opened: \(reason(unopened.cause))")])
    }
  }

  /// The mark in a database's header says of which form it is.
  private func findings(
    in database: DatabaseUnderTest, _ open: @escaping @Sendable () throws -> DatabaseUnderTest
  ) throws -> [Finding] {
    if database.isOfIdentifiers { return try ExportCheck.findings(inIdentifiers: database) }
    if database.isOfOpenEFB { return try ExportCheck.findings(inOpenEFB: database) }
    return try DatabaseCheck(open: open, jobs: jobs).findings(in: database)
  }

  /// The sheet that an archive is to be compared with. That it is missing or cannot be read is told of the product.
  private var reference: SheetReference? {
    subject.description.flatMap { try? ProductUnderTest($0, place: subject.place).reference }
  }

  /// The description that names the file, else the one beside it.
  private var description: ProductUnderTest? {
    let beside = subject.url.deletingPathExtension().appendingPathExtension("product.json")
    let described = try? ProductUnderTest(subject.description ?? beside, place: subject.place)
    let names = described?.product.files.map { URL(filePath: $0.path).lastPathComponent } ?? []
    return names.contains(subject.url.lastPathComponent) ? described : nil
  }

  private func opening<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch {
      throw Unopened(cause: error)
    }
  }

  private struct Unopened: Error {
    let cause: any Error
  }
}

/// All that is asked of one product's description.
struct ProductCheck {
  let product: ProductUnderTest

  private static let all: [any ProductRule] = [
    ProductHash(), ProductDates(), SourceDates(), ProductBounds(), ProductTileSize(), ProductArchives(),
    NeatlineCut(),
    SheetEvidence(), SheetBlanks(), PlaceControl(), PlaceGraticule(), TilesInks(),
  ]

  static var rules: [any Rule] { all }

  func findings() throws -> [Finding] {
    try ProductCheck.all.flatMap { rule in try rule.run(product.place) { try rule.check(product) } }
  }
}

/// All that is asked of the products of a cycle together.
struct CycleCheck {
  let cycle: CycleUnderTest

  private static let all: [any CycleRule] = [
    DatabaseRows(), TablesVanished(), ColumnsChanged(), RowsChanged(), AirportsMoved(), AirportsVanished(),
    ExportsAgree(),
    CycleUnmixed(),
    NeatlineDrift(),
    TilesChanged(), SourceStale(), ChartsVanished(), ChartsCover(), PlaceAirports(), PlaceEvidence(),
    AirportsOnCharts(),
  ]

  static var rules: [any Rule] { all }

  func findings() throws -> [Finding] {
    let place = "cycle \(cycle.products.first?.product.cycle ?? "")"
    return try CycleCheck.all.flatMap { rule in try rule.run(place) { try rule.check(cycle) } }
  }
}
