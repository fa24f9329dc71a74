import Core
import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// The list of terminal procedures and the sets of their PDFs, from the FAA's own files.
struct PlateTests {
  @Test func `each record of the list is a row`() throws {
    let plates = try PlatePipeline()
    let outcome = try plates.make()
    let records = try plates.folder.file("from/\(PlatePipeline.list)").text.ranges(of: "<record>").count
    let product = try #require(try outcome["dtpp/plates"]?.product()?.product)
    #expect(product.build.counts["charts"] == records)
    #expect(product.audit?.differ == 0)
    #expect(product.audit?.values == records * 29)
    #expect(
      try plates.rows("SELECT * FROM charts WHERE pdf = '00989R11.PDF'").first?.hasPrefix(
        "5|KSBP|SBP|SAN LUIS COUNTY RGNL|SAN LUIS OBISPO|CA|California|SW-3|civil|989|") == true)
    #expect(
      try plates.rows("SELECT kind, name, change, cifp, amendment, amended FROM charts WHERE id IN (2, 4)")
        == [
          "minimums|ALTERNATE MINIMUMS|changed|NULL|NULL|NULL",
          "approach|ILS RWY 11|NULL|I11|2B|2014-05-29",
        ])
  }

  @Test func `a deleted chart has no PDF`() throws {
    let plates = try PlatePipeline()
    try plates.edit("<pdf_name>00989AD.PDF", to: "<pdf_name>DELETED_JOB.PDF")
    _ = try plates.make()
    #expect(try plates.rows("SELECT count(*) FROM charts WHERE pdf IS NULL") == ["1"])
    #expect(
      try plates.rows("SELECT count(*) FROM pdfs WHERE name LIKE 'DELETED%'", of: "KSBP.sqlite") == ["0"])
  }

  @Test func `a name that leads to another folder is dropped`() throws {
    let plates = try PlatePipeline()
    try plates.edit("<pdf_name>00989AD.PDF", to: "<pdf_name>../../../home/00989AD.PDF")
    let outcome = try plates.make()
    let product = try #require(try outcome["dtpp/plates"]?.product()?.product)
    #expect(product.audit?.differ == 0 && product.build.counts["droppedFields"] == 1)
    let list = try PlateList(SourceFolder.file(plates.folder.file("from/\(PlatePipeline.list)")))
    #expect(!PlateSetBuilder.pdfs(of: "KSBP", in: list).contains { $0.contains("/") })
  }

  @Test func `texts with marks of XML and CSV are kept`() throws {
    let plates = try PlatePipeline()
    try plates.edit("ID=\"SAN LUIS COUNTY RGNL\"", to: "ID=\"O&apos;HARE &amp; &quot;SONS&quot;, N&#176;1\"")
    let outcome = try plates.make()
    #expect(try outcome["dtpp/plates"]?.product()?.product.audit?.differ == 0)
    #expect(
      try plates.rows("SELECT DISTINCT airportName FROM charts") == ["O'HARE & \"SONS\", N°1"])
  }

  /// The parser of Foundation refuses such a document if it gets it in one piece.
  @Test func `a document of more than ten megabytes is read`() throws {
    let text = "<list>" + String(repeating: " ", count: 10_500_000) + "<record/></list>"
    var names: [String] = []
    try XMLTreeReader<AIXMElement>(limits: (elements: 10, depth: 3)) { names += $0.children.map(\.name) }
      .read(Data(text.utf8))
    #expect(names == ["record"])
  }

  @Test(arguments: [
    ("cycle=\"2002\"", "cycle=\"2001\"", "is the list of cycle 2001, not of cycle 2002"),
    ("digital_tpp", "digital_dof", "is not a list of terminal procedures"),
    ("</digital_tpp>", "", "it is cut short"),
    ("<?xml", "<html", "is not a list of terminal procedures"),
    ("<record>", "<recorded>", "no XML, or damaged"),
  ])
  func `a wrong list is refused`(text: String, other: String, reason: String) throws {
    let plates = try PlatePipeline()
    try plates.edit(text, to: other)
    let failure = try #require(try plates.make().failures.first)
    #expect("\(failure)".contains(reason) || "\(failure)".contains("cannot be read"), "\(failure)")
  }

  @Test func `a set has the FAA's files with their days and places`() throws {
    let plates = try PlatePipeline()
    let outcome = try plates.make()
    let product = try #require(try outcome["dtpp/KSBP"]?.product()?.product)
    #expect(product.build.counts["georeferenced"] == 1)
    // `reproduce` takes the PDFs by these.
    #expect(product.sources.map(\.url) == ["d-TPP_Metafile.xml", "00989R11.PDF"])
    let pdf = try plates.rows(
      "SELECT bytes, printedFrom, printedTo, content IS NOT NULL, problem, projection LIKE '%Lambert_Conformal_Conic%' FROM pdfs WHERE name = '00989R11.PDF'",
      of: "KSBP.sqlite")
    #expect(pdf == ["324704|2020-01-30|2020-02-27|1|NULL|1"])
    let missing = try plates.rows(
      "SELECT DISTINCT problem FROM pdfs WHERE content IS NULL", of: "KSBP.sqlite")
    #expect(missing == ["it is not in the sources"])
  }

  /// GDAL's picture of the page at 150 dots per inch has 807 x 1237 pixels.
  @Test func `the control points are those of the transform`() throws {
    let placement = try #require(
      try PlatePlacement(PlatePage(bytes: [UInt8](PlatePipeline.fixture(PlatePipeline.plate)))))
    #expect(placement.controlPoints.count == 4)
    let places = placement.controlPoints.map(\.place)
    // The airport, 35.2368 N 120.6423 W, is in the middle of the plan view.
    #expect(places.map(\.latitude).min() ?? 0 < 35 && places.map(\.latitude).max() ?? 0 > 35.5)
    #expect(abs(places[0].longitude - -121.0113) < 0.0001 && abs(places[0].latitude - 34.8772) < 0.0001)
    #expect(abs(placement.controlPoints[0].across * 807 - 95.94) < 0.01)
    #expect(abs(placement.controlPoints[0].down * 1237 - 1108.80) < 0.01)
  }

  @Test func `a PDF of another edition is left out and named`() throws {
    let plates = try PlatePipeline()
    try plates.edit("cycle=\"2002\"", to: "cycle=\"2003\"")
    let failure = try #require(try plates.make(cycle: "2003").failures.first)
    #expect("\(failure)".contains("it is of another edition, 2020-01-30 to 2020-02-27"), "\(failure)")
  }

  @Test(arguments: [
    ("<html>Not found</html>", "it is a web page"), ("", "it is empty"), ("text", "it is not a PDF"),
    ("%PDF-1.4 and no end", "it is cut short"),
  ])
  func `a file that is no PDF is left out and named`(text: String, reason: String) throws {
    #expect(PlatePage(bytes: Array(text.utf8)).problem == reason)
  }

  @Test func `days are read from plain and packed text`() throws {
    let plain = PlatePage(bytes: Array("%PDF (SW-2, 03 APR 2014 to 01 MAY 2014) Tj".utf8))
    #expect(plain.printedDays.map { "\($0.from) \($0.to)" } == ["2014-04-03 2014-05-01"])
    let packed = repositoryRoot.appending(path: "Tests/FuzzTests/Corpus/pdf/good.pdf")
    #expect(PlatePage(bytes: try [UInt8](packed.data)).printedDays == plain.printedDays)
    #expect(PlatePage(bytes: Array("31 FEB 2014 to 01 MAY 2014 and so to bed".utf8)).printedDays.isEmpty)
  }

  @Test func `a set is of a state or an airport`() throws {
    var plates = try PlatePipeline()
    plates.place = "CA"
    #expect(try plates.make()["dtpp/CA"] != nil)
    plates.place = "NV"
    let failure = try #require(try plates.make().failures.first)
    #expect("\(failure)".contains("has no chart of it"), "\(failure)")
    #expect(throws: UserError.self) { try BuildPlan([plates.definition()]).only(["dtpp/Nevada"]) }
  }

  @Test func `a set is made again only when something changed`() throws {
    let plates = try PlatePipeline()
    _ = try plates.make()
    let bytes = try plates.file("KSBP.sqlite").data
    #expect(try plates.make(jobs: 2).seconds.isEmpty)
    try plates.folder.file("work/build").remove()
    try plates.folder.file("work/journal").remove()
    _ = try plates.make(jobs: 2)
    #expect(try plates.file("KSBP.sqlite").data == bytes)
  }

  @Test(arguments: [
    ("UPDATE pdfs SET content = x'25504446' WHERE name = '00989R11.PDF'", "its content is not that"),
    (
      "UPDATE pdfs SET printedFrom = '2020-02-27' WHERE name = '00989R11.PDF'", "it is printed for 2020-02-27"
    ),
    ("DELETE FROM pdfs WHERE name = '00989AD.PDF'", "1 chart with a PDF that is not listed"),
  ])
  func `the rule about sets finds a file that is not the FAA's`(sql: String, message: String) throws {
    let plates = try PlatePipeline()
    _ = try plates.make()
    let file = plates.file("KSBP.sqlite")
    func findings() throws -> [Finding] {
      try PlateContents().check(DatabaseUnderTest(file, place: "KSBP.sqlite"))
    }
    #expect(try findings().map(\.severity) == [.warning])
    #expect(try findings().first?.message.contains("11 PDFs missing: 00989AD.PDF") == true)
    try SQLiteConnection(file.path, mode: .create).execute(sql)
    #expect(try findings().contains { $0.severity == .error && $0.message.hasPrefix(message) })
  }

  @Test func `the rules find nothing in what is made`() throws {
    let plates = try PlatePipeline()
    _ = try plates.make()
    let report = try Validator(jobs: 1).validate([plates.file("")], progress: SilentProgress())
    #expect(report.findings.map(\.severity) == [.warning], "\(report.findings)")
  }

  @Test func `a set asks for the PDFs that the list names`() throws {
    let plates = try PlatePipeline()
    let plan = try BuildPlan([plates.definition()]).only(["dtpp/KSBP"])
    let list = SourceRequirement.all(of: plan.items, for: "2002")
    #expect(list.map(\.name) == [PlatePipeline.list])
    let named = try SourceRequirement.named(by: list, in: plates.folder.file("from"))
    #expect(named.count == 12 && named.allSatisfy { $0.products == ["dtpp/plates", "dtpp/KSBP"] })
    #expect(
      named.first?.alternatives.first?.first?.url == "https://aeronav.faa.gov/d-tpp/2002/00989AD.PDF")
  }
}
