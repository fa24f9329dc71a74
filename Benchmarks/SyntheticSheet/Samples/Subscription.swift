internal import ArchiveIO
public import Core
public import Foundation

/// The NASR subscription made of the rows in `samples/nasr-rows`, a zip of CSV files in the zip, and of the shapes in
/// `samples/nasr-airspace`.
public struct Subscription: Sendable {
  public let cycle: AiracCycle
  private let rows: URL
  private let airspace: URL

  /// Below the folder `samples`.
  public init(cycle: AiracCycle, samples: URL) {
    self.cycle = cycle
    rows = samples.appending(path: "nasr-rows")
    airspace = samples.appending(path: "nasr-airspace")
  }

  public var fileName: String { "28DaySubscription_Effective_\(cycle.effectiveDay).zip" }

  /// Writes the outer zip; the inner ones pass through the scratch folder.
  public func write(to file: URL, scratch: URL) throws {
    let day = cycle.effectiveDay
    let before = cycle.advanced(by: -1).effectiveDay
    var zip = ZipWriter()
    let specialUse = ("Saa_Sub_File.zip", try zipped(files("xml", in: specialUse), scratch))
    zip.members =
      try Subscription.shapeParts.flatMap { try files($0, in: airspace) }.map {
        ("Additional_Data/Shape_Files/" + $0.name, $0.bytes)
      }
    zip.members += [
      (
        "Additional_Data/AIXM/SAA-AIXM_5_Schema/SaaSubscriberFile.zip", try zipped([specialUse], scratch)
      ),
      ("CSV_Data/\(day.dayNameYear)_CSV.zip", try zipped(files("csv", in: rows), scratch)),
      (
        "CSV_Data/\(before.dayNameYear)-\(day.dayNameYear)_CSV.zip",
        try zipped([("APT_CHG_RPT.csv", Array(Subscription.changeReport.utf8))], scratch)
      ),
      ("README.txt", Array(readMe.utf8)),
    ]
    try zip.write(to: file.path)
  }

  private static let shapeParts = ["dbf", "prj", "shp", "shx"]
  private var specialUse: URL { airspace.appending(path: "special-use") }

  /// Every file of one kind in a folder, by name.
  private func files(_ kind: String, in folder: URL) throws -> [(name: String, bytes: [UInt8])] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == kind }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
      .map { ($0.lastPathComponent, [UInt8](try Data(contentsOf: $0))) }
  }

  private func zipped(_ members: [(name: String, bytes: [UInt8])], _ scratch: URL) throws -> [UInt8] {
    let file = scratch.appending(path: "inner.zip")
    var zip = ZipWriter()
    zip.members = members
    try zip.write(to: file.path)
    defer { try? FileManager.default.removeItem(at: file) }
    return [UInt8](try Data(contentsOf: file))
  }

  /// The changes since the last cycle: the columns say enough, and a reader must not take it for a table.
  private static let changeReport =
    "\"EFF_DATE\",\"SITE_NO\",\"SITE_TYPE_CODE\",\"ARPT_ID\",\"COLUMN_NAME\",\"OLD_VALUE\",\"NEW_VALUE\"\r\n"

  private var readMe: String {
    let date = Subscription.written(cycle.effectiveDay)
    let kind = cycle.isMajor ? "56 Day Major Cycle" : "28 Day Change Notice Cycle"
    return """
      AIS subscriber files effective date \(date).

      The \(date) cycle is a \(kind) subscriber set.

      This is a sample: the rows of a few tables around San Francisco Bay, in the layout of the
      subscription. samples/README.md says where each table comes from. Not for navigation.
      Coordinates refer to NAD 83.

      """.replacing("\n", with: "\r\n")
  }

  /// `April 20, 2023`
  private static func written(_ day: CalendarDay) -> String {
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
      "November", "December",
    ]
    return "\(months[day.month - 1]) \(day.day), \(day.year)"
  }
}
