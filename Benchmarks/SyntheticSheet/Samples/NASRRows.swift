internal import Core
public import Foundation

/// Reads the rows of `samples/nasr-rows` that the charts need; only as much of CSV as these files hold.
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

  /// One VHF frequency for each of the uses that a data block prints.
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
    // One file carries a Latin-1 byte; the columns that are read here are ASCII in either encoding.
    let text = String(decoding: data, as: UTF8.self).replacing("\u{FEFF}", with: "")
    let lines = text.split(whereSeparator: \.isNewline)
    guard let head = lines.first else { return [] }
    let columns = fields(head)
    return lines.dropFirst().map { line in
      Row(values: Dictionary(zip(columns, fields(line))) { first, _ in first })
    }
  }

  /// The fields of one line: commas within quotes belong to a field. (No field of these files breaks its line.)
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

    /// An empty text where the column or its value is missing.
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
