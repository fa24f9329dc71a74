/// A runway, a water lane or a helipad: a row of APT_RWY.
struct Runway: NASRRecord {
  // The FAA's own names.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  enum Column: Int, NASRColumn {
    case SITE_NO, SITE_TYPE_CODE, RWY_ID, RWY_LEN, RWY_WIDTH, SURFACE_TYPE_CODE, COND, RWY_LGT_CODE
  }

  static let table = "APT_RWY"

  let line: Int
  let site: SiteKey
  let id: String
  let length: Int?
  let width: Int?
  let surface: String?
  let condition: String?
  let edgeLights: String?

  init?(_ row: NASRRow<Column>) throws(UnusableRow) {
    line = row.line
    site = SiteKey(number: try row.required(.SITE_NO), type: try row.required(.SITE_TYPE_CODE))
    id = try row.required(.RWY_ID)
    length = Runway.size(row, .RWY_LEN)
    width = Runway.size(row, .RWY_WIDTH)
    surface = Runway.surface(row)
    condition = row.word(.COND, RunwayCodes.conditions)
    let lights = row.word(.RWY_LGT_CODE, RunwayCodes.edgeLights)
    edgeLights = lights == RunwayCodes.none ? nil : lights
  }

  /// `13` and `31` of `13/31`; a helipad's or a one-way runway's whole name, and nil.
  var ends: (base: String, reciprocal: String?) {
    let parts = id.split(separator: "/", maxSplits: 1)
    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : (id, nil)
  }

  /// The FAA writes 0 for a size that it does not have.
  private static func size(_ row: NASRRow<Column>, _ column: Column) -> Int? {
    guard let feet = row.whole(column, in: 0...99_999) else { return nil }
    return feet > 0 ? feet : row.drop(column, "a size of 0 is none")
  }

  private static func surface(_ row: NASRRow<Column>) -> String? {
    guard let code = row.text(.SURFACE_TYPE_CODE) else { return nil }
    let (words, isKnown) = RunwayCodes.surface(code)
    if !isKnown { row.report(.unknownCode, .SURFACE_TYPE_CODE, "the code is not known") }
    return words
  }
}
