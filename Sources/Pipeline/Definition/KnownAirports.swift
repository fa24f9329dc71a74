internal import Core
internal import Foundation

/// Airports with values that a person has checked, in a separate file beside the definition.
///
/// A build compares its database with them. The definition holds the file's name; its hash covers the content.
public struct KnownAirports: Equatable, Sendable {
  public let file: String
  public private(set) var airports: [Airport] = []

  public struct Airport: PlainDefinition, Codable, Equatable, Sendable {
    public var icao: String
    /// The first AIRAC cycle that has the values. Those of a later cycle replace them one by one.
    public var since: String
    public var values: [String: String]

    enum CodingKeys: String, DefinitionKey {
      case icao, since, values
    }
  }

  /// The end of the file's name, which distinguishes it from a pipeline.
  static let ending = "airports.json5"

  mutating func load(from folder: URL) throws {
    let url = folder.appending(path: file)
    func fault(_ problem: String, _ causes: [any Error] = []) -> UserError {
      UserError(
        .badInput, operation: "reading the known airports", path: url.path, reason: problem,
        suggestion: "Correct the file; pipelines/known-airports.json5 shows its form.", causes: causes)
    }
    guard file.hasSuffix(KnownAirports.ending) else {
      throw fault("its name must end in \(KnownAirports.ending)")
    }
    airports = try JSON5.list(of: Airport.self, at: url) { fault($0, [$1]) }
    for airport in airports {
      if AiracCycle(identifier: airport.since) == nil {
        throw fault("\(airport.icao): there is no AIRAC cycle \(airport.since)")
      }
      if let odd = airport.values.keys.sorted().first(where: { !KnownAirports.names.contains($0) }) {
        let names = KnownAirports.names.joined(separator: ", ")
        throw fault("\(airport.icao): \"\(odd)\" is none of \(names)")
      }
    }
  }

  private static let names = ["name", "elevation", "type", "ownership", "use", "runways", "ctaf", "tower"]
}

extension KnownAirports: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(file: try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws { try airports.encode(to: encoder) }
}
