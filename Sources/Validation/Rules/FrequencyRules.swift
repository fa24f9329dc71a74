/// Checks that each frequency is in the band of its use, and on a channel of that band.
struct DatabaseFrequencies: Rule {
  let name = "database-frequencies"
  let protects =
    "A pilot's radio can be tuned to each frequency, and an airport's common frequency is its own."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let known = try database.known
    let radios = known.filter { $0.has("frequency", "vhf") }.flatMap { Self.radio($0.label, $0.name) }
    let aids = Self.aids.filter { check in known.contains { $0.name == check.table } }
    // A database may have no frequencies of airports.
    let common = try database.connection.count("frequencies") > 0 ? Self.ofAirports : []
    return try findings(of: radios + aids + common, in: database)
  }

  /// The second column of a check.
  private static let shown = ", 'frequency is ' || frequency"
  /// Kilohertz. Channels are multiples of some kilohertz.
  private static let kilohertz = "CAST(round(frequency * 1000) AS INTEGER)"

  /// Military channels of 12.5 kHz, which the FAA writes without the last digit: 138.437 for 138.4375.
  private static let isNarrow = "frequency > 137 AND abs(frequency * 80 - round(frequency * 80)) < 0.0401"

  /// Checks of voice frequencies. Below 30 MHz there are no channels.
  static func radio(_ label: String, _ table: String) -> [RowCheck] {
    [
      .init(
        .error, table, label + shown, where: "vhf <> (frequency BETWEEN 118 AND 137)",
        "but vhf says otherwise: it is 1 within 118 to 137 MHz"),
      .init(
        .error, table, label + shown,
        where: "(frequency > 30 AND abs(frequency * 1000 - \(kilohertz)) > 0.01 "
          + "OR frequency > 108 AND \(kilohertz) % 5 <> 0) AND NOT (\(isNarrow))",
        "which is between two channels"
      ),
      .init(
        .warning, table, label + shown,
        where: "frequency > 108 AND \(kilohertz) % 5 = 0 AND \(kilohertz) % 25 <> 0",
        "which is not on a channel of 25 kHz"),
      .init(
        .error, table, label + shown, where: "frequency > 88 AND frequency < 108",
        "which is in the broadcast band"),
      .init(
        .warning, table, label + shown, where: "frequency > 174 AND frequency < 225",
        "which is in no band of aviation"),
    ]
  }

  private static let isNDB = "type LIKE '%ndb%'"

  /// The tenths of a MHz paired with a channel number. Channel Y is 50 kHz above X.
  private static let paired = """
    CAST(channel AS INTEGER) + CASE WHEN CAST(channel AS INTEGER) < 60 THEN 1063 ELSE 1053 END
    """

  /// Checks of navaids. A TACAN channel may be paired with a frequency outside of the VOR band. The DME of an NDB is paired with a
  /// VHF frequency, but the NDB's frequency is in kHz.
  static let aids: [RowCheck] = [
    .init(
      .error, "navaids", "identifier" + shown,
      where: """
        NOT CASE WHEN \(isNDB) THEN frequency BETWEEN 190 AND 1750
        ELSE frequency = 75 OR frequency BETWEEN 108 AND 118 OR frequency BETWEEN 133 AND 136 END
        """, "which is not in the band of its type"),
    .init(
      .error, "navaids", "identifier" + shown, where: "NOT \(isNDB) AND \(kilohertz) % 50 <> 0",
      "which is between two channels"),
    .init(
      .warning, "navaids", "identifier" + shown + " || ' and channel ' || channel",
      where: """
        NOT \(isNDB) AND (channel GLOB '[0-9][0-9][XY]' OR channel GLOB '[0-9][0-9][0-9][XY]')
        AND (CAST(channel AS INTEGER) BETWEEN 17 AND 59 OR CAST(channel AS INTEGER) BETWEEN 70 AND 126)
        AND \(kilohertz) <> (\(paired)) * 100 + CASE WHEN channel LIKE '%Y' THEN 50 ELSE 0 END
        """, "which are not a pair"),
    .init(
      .warning, "ils", "airport || ' ' || runwayEnd" + shown,
      where: "\(kilohertz) % 50 <> 0 OR \(kilohertz) / 100 % 2 = 0",
      "which is not a localizer channel: these are odd tenths of a MHz"),
  ]

  /// Checks of the airports' common frequencies, which the build copies from the table of frequencies. The FAA does not publish the
  /// tower frequency of every military and police field; these are for private use.
  static let ofAirports: [RowCheck] =
    ["ctaf", "unicom"].map { type in
      let first = """
        (SELECT frequency FROM frequencies WHERE airport = icao AND type = '\(type)' AND vhf AND NOT receiveOnly
        ORDER BY number LIMIT 1)
        """
      return .init(
        .error, "airports",
        "icao, '\(type)Frequency is ' || coalesce(\(type)Frequency, 'missing')",
        where: "\(type)Frequency IS NOT \(first)", "but its first row in frequencies has another")
    } + [
      .init(
        .warning, "airports", "icao, 'it has a tower'",
        where: """
          isTowered AND use IS NOT 'private' AND coalesce(country, 'US') = 'US' AND NOT EXISTS (
            SELECT 1 FROM frequencies WHERE airport = icao AND type = 'tower')
          """, "but no tower frequency")
    ]
}
