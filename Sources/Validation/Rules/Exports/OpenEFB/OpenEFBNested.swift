internal import Foundation
internal import SQLiteIO

/// The JSON in the columns of `openefb.sqlite`, decoded with the types that the app's properties have.
struct OpenEFBNested: DatabaseRule {
  let name = "openefb-nested"
  let protects = "The app decodes the runways and frequencies of every airport, and draws every airspace."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    guard try OpenEFBColumns.isMet(by: database) else { return [] }
    let decoder = JSONDecoder()
    var findings: [Finding] = []
    func read<Value: Decodable>(
      _ type: Value.Type, _ row: SQLiteRow, _ column: Int, _ place: String, _ property: String
    ) -> Value? {
      do {
        return try decoder.decode(type, from: Data((row.text(column) ?? "").utf8))
      } catch {
        findings.append(self.error(place, "its \(property) do not decode: \(reason(error))"))
        return nil
      }
    }
    var ids: Set<UUID> = []
    let airports = "SELECT icao, runways, frequencies, fuelTypes FROM airports ORDER BY rowid"
    try database.connection.prepare(airports).rows { row in
      let place = "\(database.place) airports \(row.text(0) ?? "")"
      _ = read([String].self, row, 3, place, "fuelTypes")
      let runways = read([NestedRunway].self, row, 1, place, "runways") ?? []
      let frequencies = read([NestedFrequency].self, row, 2, place, "frequencies") ?? []
      let doubles = frequencies.filter { !ids.insert($0.id).inserted }
      let problems =
        runways.compactMap(\.problem) + doubles.map { "its frequency \($0.name) has the id of another" }
      findings += problems.map { error(place, $0) }
    }
    try database.connection.prepare("SELECT name, geometry FROM airspaces ORDER BY rowid").rows { row in
      let place = "\(database.place) airspaces \(row.text(0) ?? "")"
      if let problem = read(NestedPolygon.self, row, 1, place, "geometry")?.problem {
        findings.append(error(place, problem))
      }
    }
    return findings
  }
}

/// As the app declares it.
private struct NestedRunway: Decodable {
  enum Surface: String, Decodable { case asphalt, concrete, turf, gravel, water }
  enum Lighting: String, Decodable { case none, partTime, fullTime }

  let id: String
  let length: Int
  let width: Int
  let surface: Surface
  let lighting: Lighting
  let baseEndID: String
  let reciprocalEndID: String
  let baseEndLatitude: Double
  let baseEndLongitude: Double
  let reciprocalEndLatitude: Double
  let reciprocalEndLongitude: Double
  let baseEndElevation: Double?
  let reciprocalEndElevation: Double?

  var problem: String? {
    let latitudes = [baseEndLatitude, reciprocalEndLatitude]
    let longitudes = [baseEndLongitude, reciprocalEndLongitude]
    guard latitudes.allSatisfy({ abs($0) <= 90 }), longitudes.allSatisfy({ abs($0) <= 180 }) else {
      return "its runway \(id) has an end that is not on this earth"
    }
    return length > 0 && width > 0 ? nil : "its runway \(id) has no length or no width"
  }
}

private struct NestedFrequency: Decodable {
  enum Kind: String, Decodable {
    case ctaf, tower, ground, clearance, approach, departure, atis, awos, unicom, multicom
  }

  let id: UUID
  let type: Kind
  let frequency: Double
  let name: String
}

private struct NestedPolygon: Decodable {
  enum Kind: String, Decodable { case polygon = "Polygon" }

  let type: Kind
  let coordinates: [[[Double]]]

  var problem: String? {
    guard !coordinates.isEmpty, coordinates.allSatisfy({ $0.count >= 4 && $0.first == $0.last }) else {
      return "a ring of its geometry does not close"
    }
    let isOnEarth = coordinates.joined().allSatisfy { $0.count == 2 && abs($0[0]) <= 180 && abs($0[1]) <= 90 }
    return isOnEarth ? nil : "a corner of its geometry is not on this earth"
  }
}
