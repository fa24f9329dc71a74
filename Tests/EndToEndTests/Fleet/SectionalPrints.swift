import Core
import Pipeline

/// Where the sectionals are printed, read off the printed maps by others than the authors of `pipelines/vfr-sectional.json5`.
///
/// The numbers are facts, in degrees, rounded to hundredths (some 20 pixels of a real sheet). A north or a level south is the
/// latitude of a corner. The charts of the Pacific are not among them: their maps are tilted or lack a corner, which an extent
/// does not say.
enum SectionalPrints {
  /// West, south, east, north.
  static let extents: [String: [Double]] = [
    "Albuquerque": [-109, 32, -101.78, 36.23], "Anchorage": [-151.5, 60, -139.35, 64.18],
    "Atlanta": [-88, 32, -80.78, 36.21], "Bethel": [-173.18, 59.55, -160.32, 64.18],
    "Billings": [-109, 44.41, -100.27, 49.03], "Brownsville": [-103, 24, -96.58, 28.24],
    "Cape_Lisburne": [-171.5, 68, -154.95, 72.18], "Charlotte": [-82, 32, -74.94, 36.24],
    "Cheyenne": [-109, 40, -100.62, 44.54], "Chicago": [-93, 40, -84.64, 44.2],
    "Cincinnati": [-85, 36, -77.72, 40.25], "Cold_Bay": [-164, 53.84, -154.09, 56.18],
    "Dallas-Ft_Worth": [-102, 32, -94.78, 36.23], "Dawson": [-145, 64, -130.72, 68.18],
    "Denver": [-111, 35.58, -103.72, 40.07], "Detroit": [-85, 40, -76.64, 44.21],
    "Dutch_Harbor": [-173, 52, -163.09, 56.17], "El_Paso": [-109, 28, -102.45, 32.23],
    "Fairbanks": [-158, 64, -143.73, 68.18], "Great_Falls": [-117, 44.41, -108.28, 49.03],
    "Green_Bay": [-93, 44, -84.32, 48.35], "Houston": [-97, 28, -90.45, 32.23],
    "Jacksonville": [-85, 28, -78.44, 32.25], "Juneau": [-141, 56, -129.71, 60.17],
    "Kansas_City": [-97, 36, -89.71, 40.23], "Ketchikan": [-139, 52, -129.26, 56.18],
    "Klamath_Falls": [-125, 40, -116.63, 44.54], "Lake_Huron": [-85, 44, -76.34, 48.23],
    "Las_Vegas": [-118, 35.58, -110.7, 40.07], "McGrath": [-162, 60, -149.9, 64.17],
    "Memphis": [-95, 32, -87.77, 36.24], "Montreal": [-77, 44, -68.34, 48.23],
    "New_Orleans": [-91, 28, -84.44, 32.24], "New_York": [-77, 40, -68.65, 44.22],
    "Nome": [-171.5, 64, -156.67, 68.17], "Omaha": [-101, 40, -92.63, 44.53],
    "Phoenix": [-116, 31.27, -108.75, 35.7], "Point_Barrow": [-157, 68, -139.15, 72.18],
    "Salt_Lake_City": [-117, 40, -108.62, 44.53], "San_Antonio": [-103, 28, -96.41, 32.24],
    "San_Francisco": [-125, 36, -117.65, 40.24], "Seattle": [-125, 44.4, -116.27, 49.03],
    "Seward": [-152.5, 59.11, -139.96, 61.47], "St_Louis": [-91, 36, -83.74, 40.24],
    "Twin_Cities": [-101, 44.4, -92.27, 49.04], "Washington": [-79, 36, -71.66, 40.23],
    "Western_Aleutian_Islands_East": [178, 51, -172.36, 53.18],
    "Western_Aleutian_Islands_West": [169.16, 51, 178.64, 53.12], "Wichita": [-104, 36, -96.65, 40.24],
  ]

  /// The south of these is cut straight instead of along a parallel.
  private static let levelSouth: Set = [
    "Billings", "Bethel", "Cold_Bay", "Denver", "Great_Falls", "Las_Vegas", "Phoenix", "Seattle", "Seward",
    "Twin_Cities",
  ]

  /// The west of this one is cut straight instead of along a meridian.
  private static let levelWest: Set = ["Western_Aleutian_Islands_West"]

  /// Sheets whose borders go down in steps.
  private static let stepped: [String: [NeatlineDefinition.Edge]] = [
    "Halifax": [
      .meridian(-69), .parallel(44), .meridian(-66.4), row(-65.5, 43.62), .meridian(-65.5), .parallel(44),
      column(-60.63, 48.23), row(-69, 48.23),
    ],
    "Los_Angeles": [
      column(-121.62, 36.1), row(-121.55, 34.24), .meridian(-122), row(-122, 33.55), column(-120.1, 32),
      .parallel(32), column(-114.55, 36.11), row(-121.62, 36.11),
    ],
    "Miami": [
      .meridian(-83), .parallel(24), column(-76.41, 28.1), row(-82, 28.14), .meridian(-82), .parallel(28.5),
    ],
    "Kodiak": [
      .meridian(-162), .parallel(56), column(-153.3, 57), row(-153.3, 57), column(-150.71, 60.18),
      row(-162, 60.18),
    ],
  ]

  /// By chart.
  static let outlines = extents.reduce(into: stepped) { outlines, print in
    let (id, box) = print
    let (west, south, east, north) = (box[0], box[1], box[2], box[3])
    outlines[id] = [
      levelWest.contains(id) ? column(west, north) : .meridian(west),
      levelSouth.contains(id) ? row(east, south) : .parallel(south), column(east, north), row(west, north),
    ]
  }

  private static func column(_ longitude: Double, _ latitude: Double) -> NeatlineDefinition.Edge {
    .columnThrough(GeoPoint(longitude: longitude, latitude: latitude))
  }

  private static func row(_ longitude: Double, _ latitude: Double) -> NeatlineDefinition.Edge {
    .rowThrough(GeoPoint(longitude: longitude, latitude: latitude))
  }
}
