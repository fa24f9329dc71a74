internal import Core
internal import Foundation

/// An airport with values that a person has checked. A build compares its database with them.
public struct KnownAirport: DefinitionObject, Codable, Equatable, Sendable {
  public var icao: String
  /// The first AIRAC cycle that has the values. Those of a later cycle replace them one by one.
  public var since: String
  public var values: [String: String]

  enum CodingKeys: String, DefinitionKey {
    case icao, since, values
  }

  /// The end of the name of a file with a list of them.
  static let ending = "airports.json5"
  private static let names = ["name", "elevation", "type", "ownership", "use", "runways", "ctaf", "tower"]

  static func list(at url: URL) throws -> [KnownAirport] {
    try JSON5.list(
      at: url, ending: ending, "reading the known airports",
      suggestion: "Correct the file; pipelines/known-airports.json5 shows its form."
    ) { airport, _, _ in
      if AiracCycle(identifier: airport.since) == nil {
        return "\(airport.icao): there is no AIRAC cycle \(airport.since)"
      }
      let odd = airport.values.keys.sorted().first { !names.contains($0) }
      return odd.map { "\(airport.icao): \"\($0)\" is none of \(names.joined(separator: ", "))" }
    }
  }
}
