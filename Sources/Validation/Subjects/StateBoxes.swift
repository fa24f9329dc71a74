internal import Core

/// The states and territories by their post office codes, each in a box: written down from a map, to a tenth of a degree and
/// outward, with the platforms off the coasts of the Gulf.
enum StateBoxes {
  static let boxes: [String: [GeoBox]] = Dictionary(grouping: all) { $0.state }.mapValues { rows in
    rows.map { GeoBox(west: $0.west, south: $0.south, east: $0.east, north: $0.north) }
  }

  /// How many degrees a place lies outside of a state; nil for a state that is not known.
  static func distance(of place: GeoPoint, from state: String) -> Double? {
    boxes[state]?.map { $0.distance(to: place) }.min()
  }

  /// Alaska lies on both sides of 180 degrees; the FAA has the airports of Dulles and Manassas in Virginia under DC; CQ is another
  /// code of the Northern Marianas; QM, QW and XL are Midway, Wake and Palmyra.
  private static let all: [(state: String, south: Double, north: Double, west: Double, east: Double)] = [
    ("AK", 51.2, 71.4, -180, -129.9), ("AK", 51.2, 71.4, 172.4, 180), ("AL", 29.5, 35, -88.5, -84.9),
    ("AR", 33, 36.5, -94.6, -89.6), ("AS", -14.6, -11, -171.1, -168.1), ("AZ", 31.3, 37, -114.8, -109),
    ("CA", 32.5, 42, -124.4, -114.1), ("CO", 37, 41, -109.1, -102), ("CQ", 14.1, 20.6, 144.9, 146.1),
    ("CT", 41, 42.1, -73.7, -71.8), ("DC", 38.6, 39, -77.6, -76.9), ("DE", 38.4, 39.9, -75.8, -75),
    ("FL", 24.5, 31, -87.6, -80), ("GA", 30.4, 35, -85.6, -80.8), ("GU", 13.2, 13.7, 144.6, 145),
    ("HI", 18.9, 28.5, -178.4, -154.8), ("IA", 40.4, 43.5, -96.6, -90.1), ("ID", 42, 49, -117.2, -111),
    ("IL", 37, 42.5, -91.5, -87.5), ("IN", 37.8, 41.8, -88.1, -84.8), ("KS", 37, 40, -102.1, -94.6),
    ("KY", 36.5, 39.2, -89.6, -81.9), ("LA", 27.5, 33, -94, -88.8), ("MA", 41.2, 42.9, -73.5, -69.9),
    ("MD", 37.9, 39.7, -79.5, -75), ("ME", 43, 47.5, -71.1, -66.9), ("MI", 41.7, 48.3, -90.4, -82.1),
    ("MN", 43.5, 49.4, -97.2, -89.5), ("MO", 36, 40.6, -95.8, -89.1), ("MP", 14.1, 20.6, 144.9, 146.1),
    ("MS", 29, 35, -91.7, -88.1), ("MT", 44.4, 49, -116.1, -104), ("NC", 33.8, 36.6, -84.3, -75.4),
    ("ND", 45.9, 49, -104.1, -96.5), ("NE", 40, 43, -104.1, -95.3), ("NH", 42.7, 45.3, -72.6, -70.6),
    ("NJ", 38.9, 41.4, -75.6, -73.9), ("NM", 31.3, 37, -109.1, -103), ("NV", 35, 42, -120, -114),
    ("NY", 40.5, 45, -79.8, -71.8), ("OH", 38.4, 42, -84.8, -80.5), ("OK", 33.6, 37, -103, -94.4),
    ("OR", 42, 46.3, -124.6, -116.5), ("PA", 39.7, 42.3, -80.5, -74.7), ("PR", 17.9, 18.5, -67.9, -65.2),
    ("QM", 28.2, 28.2, -177.4, -177.3), ("QW", 19.3, 19.3, 166.6, 166.7), ("RI", 41.1, 42, -71.9, -71.1),
    ("SC", 32, 35.2, -83.4, -78.5), ("SD", 42.5, 46, -104.1, -96.4), ("TN", 35, 36.7, -90.3, -81.6),
    ("TX", 25.8, 36.5, -106.7, -93.5), ("UT", 37, 42, -114.1, -109), ("VA", 36.5, 39.5, -83.7, -75.2),
    ("VI", 17.7, 18.4, -65.1, -64.5), ("VT", 42.7, 45, -73.4, -71.5), ("WA", 45.5, 49, -124.8, -116.9),
    ("WI", 42.5, 47.1, -92.9, -86.8), ("WV", 37.2, 40.6, -82.7, -77.7), ("WY", 41, 45, -111.1, -104),
    ("XL", 5.8, 5.9, -162.2, -162),
  ]
}

extension GeoBox {
  /// In degrees, around the world by the shorter way; 0 within.
  fileprivate func distance(to place: GeoPoint) -> Double {
    let north = max(south - place.latitude, place.latitude - self.north, 0)
    let turns = [-360.0, 0, 360].map { max(west - place.longitude - $0, place.longitude + $0 - east, 0) }
    return max(north, turns.min() ?? 0)
  }
}
