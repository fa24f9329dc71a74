import Foundation

// The types that OpenEFB decodes, from the list of properties in docs/formats/openefb.md. They use the synthesised `Codable`, so a name or
// a type that differs fails.

struct Airport: Codable, Identifiable {
  enum Kind: String, Codable { case airport, heliport, seaplane, ultralight }
  enum Ownership: String, Codable { case `public`, `private`, military }

  var icao: String
  var faaID: String?
  var name: String
  var latitude: Double
  var longitude: Double
  var elevation: Double
  var type: Kind
  var ownership: Ownership
  var ctafFrequency: Double?
  var unicomFrequency: Double?
  var artccID: String?
  var fssID: String?
  var magneticVariation: Double?
  var patternAltitude: Int?
  var fuelTypes: [String]
  var hasBeaconLight: Bool
  var runways: [Runway]
  var frequencies: [Frequency]

  var id: String { icao }
}

struct Runway: Codable, Identifiable {
  enum Surface: String, Codable { case asphalt, concrete, turf, gravel, water }
  enum Lighting: String, Codable { case none, partTime, fullTime }

  var id: String
  var length: Int
  var width: Int
  var surface: Surface
  var lighting: Lighting
  var baseEndID: String
  var reciprocalEndID: String
  var baseEndLatitude: Double
  var baseEndLongitude: Double
  var reciprocalEndLatitude: Double
  var reciprocalEndLongitude: Double
  var baseEndElevation: Double?
  var reciprocalEndElevation: Double?
}

struct Frequency: Codable, Identifiable {
  enum Kind: String, Codable {
    case ctaf, tower, ground, clearance, approach, departure, atis, awos, unicom, multicom
  }

  var id: UUID
  var type: Kind
  var frequency: Double
  var name: String
}

struct Navaid: Codable, Identifiable {
  enum Kind: String, Codable { case vor, vortac, vorDme, ndb, ndbDme }

  var id: String
  var name: String
  var type: Kind
  var latitude: Double
  var longitude: Double
  var frequency: Double
  var magneticVariation: Double?
  var elevation: Double?
}

struct Airspace: Codable, Identifiable {
  enum Classification: String, Codable {
    case bravo, charlie, delta, echo, golf, prohibited, restricted, moa, alert, warning, tfr
  }

  /// A GeoJSON Polygon.
  struct Geometry: Codable {
    enum Kind: String, Codable { case polygon = "Polygon" }

    var type: Kind
    var coordinates: [[[Double]]]
  }

  var id: UUID
  var classification: Classification
  var name: String
  var floor: Int
  var ceiling: Int
  var geometry: Geometry
}
