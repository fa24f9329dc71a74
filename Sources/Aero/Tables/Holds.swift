internal import SQLiteIO

/// Holding patterns.
extension SourceTable {
  static let holds = SourceTable(
    "holds", from: "HPF_BASE", "Holding patterns.",
    [
      .id,
      Field("name", .text("HP_NAME"), "AABEE INT*GA*K7: one point may have several.", isRequired: true),
      Field("number", .whole("HP_NO", 0...999), "Counts the patterns of a name.", isRequired: true),
      .state, .country,
      Field("fixID", .text("FIX_ID"), "The fix at which it is; NULL where it is at a navaid."),
      Field("region", .text("ICAO_REGION_CODE"), "ICAO region of the fix."),
      Field("fix", .row(.fix, by: ["FIX_ID", "ICAO_REGION_CODE"])),
      Field(
        "navaidID", .text("NAV_ID"), "The navaid at which it is, or of the radial or course to the fix."),
      Field("navaidType", .text("NAV_TYPE"), "VORTAC, LD (a localizer with DME) ..., the FAA's codes."),
      Field("navaid", .row(.navaidOfType, by: ["NAV_ID", "NAV_TYPE"]), "NULL for a localizer."),
      Field("ils", .row(.localizer, by: ["NAV_ID", "NAV_TYPE"]), "Of a localizer."),
      .linked("latitude", "Of the fix or the navaid; NULL where it is not known."),
      .linked("longitude", "Degrees, west negative."),
      Field("side", .text("HOLD_DIRECTION"), "On which side of the point it is: NE ..."),
      Field("inboundCourse", .whole("COURSE_INBOUND_DEG", 0...360), "Degrees magnetic, to the point."),
      Field(
        "guidance",
        .word("AZIMUTH", ["RNAV": "rnav", "RAD": "radial", "CRS": "course", "BRG": "bearing"]),
        "rnav, radial, course or bearing: what the inbound course is."),
      Field("turn", .word("TURN_DIRECTION", ["R": "right", "L": "left"]), "right or left."),
      Field(
        "legDistance", .whole("LEG_LENGTH_DIST", 0...99),
        "Nautical miles; NULL for legs by time: a minute, and a minute and a half above 14,000 feet."),
    ],
    keys: [.hold], constraints: ["UNIQUE (name, number)"], indexes: [["fix"], ["navaid"]], extent: .point,
    links: positions(of: "holds", navaidWhere: "fixID IS NULL"))

  static let holdAltitudes = numbered(
    "holdAltitudes", from: "HPF_SPD_ALT", of: .hold, as: "hold",
    "At which speeds and altitudes a pattern may be flown.",
    [
      Field("speeds", .text("SPEED_RANGE"), "In the FAA's words: 200, 170/175, ALL.", isRequired: true),
      Field(
        "minSpeed", speed(.lowSpeed), "Knots; NULL for all. The same as the next one where there is one."),
      Field("maxSpeed", speed(.highSpeed), "Knots."),
      Field("altitudes", .text("ALTITUDE"), "In the FAA's words, hundreds of feet: 30/54.", isRequired: true),
      Field("minAltitude", altitude(.lowAltitude), "Feet."),
      Field("maxAltitude", altitude(.highAltitude), "Feet."),
    ])

  static let holdCharts = numbered(
    "holdCharts", from: "HPF_CHRT", of: .hold, as: "hold", "On which charts a pattern is drawn.",
    [Field("chart", .text("CHARTING_TYPE_DESC"), "IAP, ENROUTE LOW ...", isRequired: true)])

  static let holdRemarks = numbered(
    "holdRemarks", from: "HPF_RMK", of: .hold, as: "hold", "The FAA's remarks to a pattern.",
    [
      Field("subject", .text("TAB_NAME"), "What it is about, in the FAA's words.", isRequired: true),
      Field("field", .text("REF_COL_NAME"), "The FAA's column."),
      Field("remark", .text("REMARK"), isRequired: true),
    ])

  private static func speed(_ end: Origin.Function) -> Reading {
    range("SPEED_RANGE", 60...400, unit: 1, isLow: end == .lowSpeed, as: end)
  }

  private static func altitude(_ end: Origin.Function) -> Reading {
    range("ALTITUDE", 0...999, unit: 100, isLow: end == .lowAltitude, as: end)
  }

  /// One end of `170/175`, `20-100` or `200`. The reading of the low end reports a value that cannot be used.
  private static func range(
    _ column: String, _ possible: ClosedRange<Int>, unit: Int, isLow: Bool, as function: Origin.Function
  ) -> Reading {
    .computed("INTEGER", [column], as: function) { row, at in
      let value = row.value(at)
      guard !value.isEmpty, !value.equals("ALL") else { return .null }
      let parts = value.text.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "-" }
      let ends = parts.compactMap { $0.first?.isNumber == true ? Int($0) : nil }.filter(possible.contains)
      guard let low = ends.first, let high = ends.last, ends.count == parts.count, ends.count <= 2,
        low <= high
      else {
        if isLow {
          row.report(
            .fieldDropped, at,
            "it is no number or range from \(possible.lowerBound) to \(possible.upperBound)")
        }
        return .null
      }
      return .integer((isLow ? low : high) * unit)
    }
  }
}
