internal import Core

/// Answers whether a point lies within a distance of any of many places.
struct NearbyPlaces {
  private let places: [GeoPoint]
  private let miles: Double

  init(_ places: [GeoPoint], within miles: Double) {
    self.places = places.sorted { $0.latitude < $1.latitude }
    self.miles = miles
  }

  func contains(_ point: GeoPoint) -> Bool {
    let reach = miles / 60
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].latitude < point.latitude - reach { low = middle + 1 } else { high = middle }
    }
    return places[low...].prefix { $0.latitude <= point.latitude + reach }.contains { place in
      PlaceGrid.distance((place.latitude, place.longitude), (point.latitude, point.longitude)) <= miles
    }
  }
}
