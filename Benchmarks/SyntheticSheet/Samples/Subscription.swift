public import Core
public import Foundation
internal import ZipWriting

/// A NASR subscription of the rows in `samples/nasr-rows`, in a zip of CSV files in the zip, and the shapes in
/// `samples/nasr-airspace`.
public struct Subscription: Sendable {
  public let cycle: AiracCycle
  private let rows: URL
  private let airspace: URL

  /// The folders are below `samples`.
  public init(cycle: AiracCycle, samples: URL) {
    self.cycle = cycle
    rows = samples.appending(path: "nasr-rows")
    airspace = samples.appending(path: "nasr-airspace")
  }

  public var fileName: String { "28DaySubscription_Effective_\(cycle.effectiveDay).zip" }

  /// Writes the outer zip. The inner ones are written to the scratch folder first.
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

  /// All files of one kind in a folder, by name.
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

  /// The changes since the last cycle. A reader must not take this file for a table.
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

/// Reads the rows of `samples/nasr-rows` that the charts need. It supports only the CSV features in these files.
public enum NASRRows {
  /// The airports and navaids of a folder, in the order of their identifiers.
  public static func features(
    in folder: URL, airspace: [String: SheetFeatures.AirspaceClass]
  ) throws -> SheetFeatures {
    let runways = Dictionary(grouping: try table("APT_RWY", folder)) { $0["SITE_NO"] + $0["SITE_TYPE_CODE"] }
    let ends = Dictionary(grouping: try table("APT_RWY_END", folder)) { $0["SITE_NO"] + $0["RWY_ID"] }
    let frequencies = Dictionary(
      grouping: try table("FRQ", folder).filter {
        $0["SERVICED_SITE_TYPE"] == "AIRPORT" || $0["SERVICED_SITE_TYPE"] == "HELIPORT"
      }, by: { $0["SERVICED_FACILITY"] })
    let airports = try table("APT_BASE", folder).compactMap { row in
      airport(
        row, runways: runways[row["SITE_NO"] + row["SITE_TYPE_CODE"]] ?? [], ends: ends,
        frequencies: frequencies[row["ARPT_ID"]] ?? [])
    }
    let navaids = try table("NAV_BASE", folder).filter { $0["NAV_TYPE"] != "VOT" }.compactMap(navaid)
    return SheetFeatures(
      airports: airports.sorted { $0.id < $1.id },
      navaids: navaids.sorted { ($0.id, $0.type) < ($1.id, $1.type) }, airspace: airspace)
  }

  private static func airport(
    _ row: Row, runways: [Row], ends: [String: [Row]], frequencies: [Row]
  ) -> Airport? {
    guard let position = row.point else { return nil }
    let isTowered = row["TWR_TYPE_CODE"].hasPrefix("ATCT")
    return Airport(
      id: row["ARPT_ID"], name: row["ARPT_NAME"], position: position,
      elevation: Double(row["ELEV"]) ?? 0, isHeliport: row["SITE_TYPE_CODE"] == "H",
      isPrivate: row["FACILITY_USE_CODE"] == "PR" && !isTowered, isTowered: isTowered,
      hasFuel: !row["FUEL_TYPES"].isEmpty, hasLights: !row["BCN_LGT_SKED"].isEmpty,
      magneticVariation: variation(row["MAG_VARN"], row["MAG_HEMIS"]),
      runways: runways.map { runway in
        Airport.Runway(
          id: runway["RWY_ID"], length: Int(runway["RWY_LEN"]) ?? 0,
          isPaved: runway["SURFACE_TYPE_CODE"].hasPrefix("ASPH")
            || runway["SURFACE_TYPE_CODE"].hasPrefix("CONC"),
          ends: (ends[runway["SITE_NO"] + runway["RWY_ID"]] ?? []).compactMap(\.point))
      },
      frequencies: charted(frequencies))
  }

  /// One VHF frequency for each use that a data block prints.
  private static func charted(_ rows: [Row]) -> [String: String] {
    let uses = ["LCL/P": "LCL", "CTAF": "CTAF", "UNICOM": "UNICOM", "ATIS": "ATIS", "D-ATIS": "ATIS"]
    var charted: [String: String] = [:]
    for row in rows {
      guard let use = uses[row["FREQ_USE"]], let megahertz = Double(row["FREQ"]),
        (118.0..<137).contains(megahertz), charted[use] == nil
      else { continue }
      charted[use] = row["FREQ"]
    }
    return charted
  }

  private static func navaid(_ row: Row) -> Navaid? {
    guard let position = row.point else { return nil }
    return Navaid(
      id: row["NAV_ID"], type: row["NAV_TYPE"], name: row["NAME"], position: position,
      frequency: row["FREQ"], channel: row["CHAN"].filter { $0 != "X" },
      magneticVariation: variation(row["MAG_VARN"], row["MAG_VARN_HEMIS"]))
  }

  private static func variation(_ degrees: String, _ hemisphere: String) -> Double {
    (Double(degrees) ?? 0) * (hemisphere == "W" ? -1 : 1)
  }

  private static func table(_ name: String, _ folder: URL) throws -> [Row] {
    let data = try Data(contentsOf: folder.appending(path: name + ".csv"))
    // One file contains a Latin-1 byte. The columns that are read here are ASCII in either encoding.
    let text = String(decoding: data, as: UTF8.self).replacing("\u{FEFF}", with: "")
    let lines = text.split(whereSeparator: \.isNewline)
    guard let head = lines.first else { return [] }
    let columns = fields(head)
    return lines.dropFirst().map { line in
      Row(values: Dictionary(zip(columns, fields(line))) { first, _ in first })
    }
  }

  /// The fields of one line. Commas within quotes belong to a field. (No field of these files contains a line break.)
  private static func fields(_ line: Substring) -> [String] {
    var fields: [String] = []
    var field = ""
    var isQuoted = false
    for character in line {
      switch character {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted:
        fields.append(field)
        field = ""
      default: field.append(character)
      }
    }
    return fields + [field]
  }

  private struct Row {
    let values: [String: String]

    /// Empty if the column or its value is missing.
    subscript(column: String) -> String {
      (values[column] ?? "").trimmingCharacters(in: .whitespaces)
    }

    var point: GeoPoint? {
      guard let latitude = Double(self["LAT_DECIMAL"]), let longitude = Double(self["LONG_DECIMAL"])
      else { return nil }
      return GeoPoint(longitude: longitude, latitude: latitude)
    }
  }
}
