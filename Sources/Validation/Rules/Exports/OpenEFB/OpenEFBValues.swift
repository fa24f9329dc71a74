internal import SQLiteIO

/// The single values of `openefb.sqlite`: what the app's types cannot decode is an error, since one such row ends the app's
/// whole query.
struct OpenEFBValues: DatabaseRule {
  let name = "openefb-values"
  let protects = "The app decodes every airport, navaid and airspace, and shows each where it is."

  private typealias Question = (wrong: String, because: String)

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    guard try OpenEFBColumns.isMet(by: database) else { return [] }
    let tables = [
      ("airports", "icao", OpenEFBValues.airports), ("navaids", "id", OpenEFBValues.navaids),
      ("airspaces", "name", OpenEFBValues.airspaces),
    ]
    let wrong = try tables.flatMap { table, label, questions in
      try questions.flatMap { question in
        try database.connection.texts(
          "SELECT coalesce(\(label), 'row ' || rowid) FROM \(table) WHERE \(question.wrong) ORDER BY 1"
        ).map { error("\(database.place) \(table) \($0)", question.because) }
      }
    }
    let doubles = try ["airports.icao", "navaids.id", "airspaces.id"].flatMap { place in
      let parts = place.split(separator: ".")
      return try database.connection.texts(
        "SELECT \(parts[1]) FROM \(parts[0]) GROUP BY 1 HAVING count(*) > 1 ORDER BY 1"
      ).map { error("\(database.place) \(parts[0]) \($0)", "more than one row has this \(parts[1])") }
    }
    let count = try database.connection.numbers("SELECT count(*) FROM airports").first ?? 0
    return wrong + doubles + (count > 0 ? [] : [error(database.place, "there is no airport in it")])
  }

  private static let place: Question = (
    """
    typeof(latitude) <> 'real' OR typeof(longitude) <> 'real' OR latitude NOT BETWEEN -90 AND 90
      OR longitude NOT BETWEEN -180 AND 180
    """, "it has no position on this earth"
  )

  private static func text(_ column: String) -> Question {
    ("typeof(\(column)) <> 'text' OR trim(\(column)) = ''", "its \(column) is no text")
  }

  private static func optional(_ columns: String..., type: String) -> [Question] {
    columns.map { ("typeof(\($0)) NOT IN ('null', \(type))", "its \($0) is no number") }
  }

  private static func word(_ column: String, _ words: String) -> Question {
    let list = words.split(separator: " ").map { "'\($0)'" }.joined(separator: ", ")
    return ("coalesce(\(column), '') NOT IN (\(list))", "its \(column) is none of the app's words")
  }

  private static let number = "'real', 'integer'"

  private static let airports: [Question] =
    [
      text("icao"), text("name"), place, word("type", "airport heliport seaplane ultralight"),
      word("ownership", "public private military"),
      (
        "typeof(elevation) NOT IN (\(number)) OR elevation NOT BETWEEN -1500 AND 30000",
        "its elevation is none"
      ),
      (
        "typeof(hasBeaconLight) <> 'integer' OR hasBeaconLight NOT IN (0, 1)",
        "its hasBeaconLight is not 0 or 1"
      ),
      (
        "ctafFrequency NOT BETWEEN 118 AND 137 OR unicomFrequency NOT BETWEEN 118 AND 137",
        "its common frequency is none of the aeronautical band"
      ),
      (
        "fuelTypes LIKE '%\"JetA%' AND fuelTypes NOT LIKE '%\"JetA\"%'",
        "the app looks for JetA, which its fuels do not have beside the kind of Jet A"
      ),
    ] + optional("ctafFrequency", "unicomFrequency", "magneticVariation", type: number)
    + optional("patternAltitude", type: "'integer'")

  private static let navaids: [Question] =
    [
      text("id"), text("name"), place, word("type", "vor vortac vorDme ndb ndbDme"),
      ("typeof(frequency) NOT IN (\(number))", "it has no frequency"),
      (
        """
        (type LIKE 'vor%' AND frequency NOT BETWEEN 108 AND 118) OR (type LIKE 'ndb%' AND frequency NOT BETWEEN 150 AND 2000)
        """, "its frequency is none of its type"
      ),
    ] + optional("magneticVariation", "elevation", type: number)

  /// A UUID as Foundation writes it, of version 5.
  private static let uuid = "????????-????-5???-[89AB]???-????????????"

  private static let airspaces: [Question] = [
    text("name"),
    word(
      "classification", "bravo charlie delta echo golf prohibited restricted moa alert warning tfr"),
    (
      "coalesce(id, '') NOT GLOB '\(uuid)' OR replace(id, '-', '') GLOB '*[^0-9A-F]*'",
      "its id is no UUID of version 5"
    ),
    (
      "typeof(floor) <> 'integer' OR typeof(ceiling) <> 'integer'",
      "its floor or its ceiling is no whole number"
    ),
    ("NOT floor < ceiling", "its ceiling is not above its floor"),
    ("floor < -2000 OR ceiling > 99999", "its floor or its ceiling is out of this world"),
  ]
}
