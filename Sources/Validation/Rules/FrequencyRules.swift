internal import Aero
internal import SQLiteIO

/// Each frequency in the band of what it is for, and on a channel of it.
struct DatabaseFrequencies: DatabaseRule {
  let name = "database-frequencies"
  let protects = "A pilot's radio can be tuned to each frequency, and the common one is the airport's own."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let known = try database.known
    let radios = known.filter { $0.has("frequency", "vhf") }.flatMap {
      FrequencyQuestion.radio($0.label, $0.name)
    }
    let aids = FrequencyQuestion.aids.filter { question in known.contains { $0.name == question.table } }
    return try (radios + aids + common(database)).flatMap { try findings($0, database) }
  }

  private func findings(_ question: FrequencyQuestion, _ database: DatabaseUnderTest) throws -> [Finding] {
    try database.connection.prepare(question.sql).map { row in
      Finding(
        rule: name, severity: question.severity,
        where: "\(database.place) \(question.table) \(row.text(0) ?? "")",
        message: "\(row.text(1) ?? ""), \(question.trouble)")
    }
  }

  /// A database may be without any frequency of airports.
  private func common(_ database: DatabaseUnderTest) throws -> [FrequencyQuestion] {
    let count = try database.connection.numbers("SELECT count(*) FROM frequencies").first ?? 0
    return count > 0 ? FrequencyQuestion.ofAirports : []
  }
}

/// Which rows are wrong, and what to say of them.
private struct FrequencyQuestion {
  let table: String
  let sql: String
  let severity: Finding.Severity
  let trouble: String

  init(
    _ severity: Finding.Severity, _ table: String, _ label: String, _ value: String, where condition: String,
    _ trouble: String
  ) {
    self.table = table
    self.severity = severity
    self.trouble = trouble
    sql = "SELECT \(label), \(value) FROM \(table) WHERE \(condition) ORDER BY 1"
  }

  private static let told = "'frequency is ' || frequency"
  /// Kilohertz: what lies between two channels is no frequency.
  private static let hertz = "CAST(round(frequency * 1000) AS INTEGER)"

  /// The military's channels of 12.5 kHz, which the FAA writes without their last digit: 138.437 for 138.4375.
  private static let isNarrow = "frequency > 137 AND abs(frequency * 80 - round(frequency * 80)) < 0.0401"

  /// Voice. Below 30 MHz there are no channels, and between the bands there is none of aviation's.
  static func radio(_ label: String, _ table: String) -> [FrequencyQuestion] {
    [
      .init(
        .error, table, label, told, where: "vhf <> (frequency BETWEEN 118 AND 137)",
        "but vhf says otherwise: it is 1 within 118 to 137 MHz"),
      .init(
        .error, table, label, told,
        where: "(frequency > 30 AND abs(frequency * 1000 - \(hertz)) > 0.01 "
          + "OR frequency > 108 AND \(hertz) % 5 <> 0) AND NOT (\(isNarrow))", "which is between two channels"
      ),
      .init(
        .warning, table, label, told, where: "frequency > 108 AND \(hertz) % 5 = 0 AND \(hertz) % 25 <> 0",
        "which is not on a channel of 25 kHz"),
      .init(.error, table, label, told, where: "frequency > 88 AND frequency < 108", "where broadcasts are"),
      .init(
        .warning, table, label, told, where: "frequency > 174 AND frequency < 225",
        "where aviation has no band"),
    ]
  }

  private static let isNDB = "type LIKE '%ndb%'"

  /// The tenths of a MHz that are paired with a channel's number; Y is half a tenth above X.
  private static let paired = """
    CAST(channel AS INTEGER) + CASE WHEN CAST(channel AS INTEGER) < 60 THEN 1063 ELSE 1053 END
    """

  /// A TACAN's channel may be paired with a frequency beyond the VOR's band; that of an NDB's DME is paired with a VHF frequency
  /// that is not the NDB's, which is in kHz.
  static let aids: [FrequencyQuestion] = [
    .init(
      .error, "navaids", "identifier", told,
      where: """
        NOT CASE WHEN \(isNDB) THEN frequency BETWEEN 190 AND 1750
        ELSE frequency = 75 OR frequency BETWEEN 108 AND 118 OR frequency BETWEEN 133 AND 136 END
        """, "which is not in the band of its type"),
    .init(
      .error, "navaids", "identifier", told, where: "NOT \(isNDB) AND \(hertz) % 50 <> 0",
      "which is between two channels"),
    .init(
      .warning, "navaids", "identifier", told + " || ' and channel ' || channel",
      where: """
        NOT \(isNDB) AND (channel GLOB '[0-9][0-9][XY]' OR channel GLOB '[0-9][0-9][0-9][XY]')
        AND (CAST(channel AS INTEGER) BETWEEN 17 AND 59 OR CAST(channel AS INTEGER) BETWEEN 70 AND 126)
        AND \(hertz) <> (\(paired)) * 100 + CASE WHEN channel LIKE '%Y' THEN 50 ELSE 0 END
        """, "which are not a pair"),
    .init(
      .warning, "ils", "airport || ' ' || runwayEnd", told,
      where: "\(hertz) % 50 <> 0 OR \(hertz) / 100 % 2 = 0",
      "which is no localizer's channel: these are odd tenths of a MHz"),
  ]

  /// What the row of an airport says of its frequencies is made of these. The FAA does not publish the tower's frequency of every
  /// field of the military and the police, which are for private use.
  static let ofAirports: [FrequencyQuestion] =
    ["ctaf", "unicom"].map { type in
      let first = """
        (SELECT frequency FROM frequencies WHERE airport = icao AND type = '\(type)' AND vhf AND NOT receiveOnly
        ORDER BY number LIMIT 1)
        """
      return .init(
        .error, "airports", "icao",
        "'\(type)Frequency is ' || coalesce(\(type)Frequency, 'missing')",
        where: "\(type)Frequency IS NOT \(first)", "but the first of its rows in frequencies is another")
    } + [
      .init(
        .warning, "airports", "icao", "'it has a tower'",
        where: """
          isTowered AND use IS NOT 'private' AND coalesce(country, 'US') = 'US' AND NOT EXISTS (
            SELECT 1 FROM frequencies WHERE airport = icao AND type = 'tower')
          """, "but no frequency of one")
    ]
}
