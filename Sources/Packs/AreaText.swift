internal import ChartpipeClient
internal import Core
internal import Foundation
internal import Pipeline

/// The area of a pack as the user wrote it.
public enum AreaText: Sendable {
  /// Identifiers and coordinates, and how far the corridor reaches on either side.
  case route(String, width: String)
  case around(String, radius: String)
  case box(String)

  /// The points to look up; empty for a box.
  var points: [String] {
    switch self {
    case .route(let text, _):
      text.split { $0.isWhitespace }.map(String.init).filter { $0.uppercased() != "DCT" }
    case .around(let text, _): [text.trimmingCharacters(in: .whitespaces)].filter { !$0.isEmpty }
    case .box: []
    }
  }

  /// The same text, to name an option in a message.
  var option: String {
    switch self {
    case .route: "--route"
    case .around: "--around"
    case .box: "--bbox"
    }
  }

  func area(_ points: [RoutePoint]) throws -> FlightArea {
    do {
      switch self {
      case .route(_, let width):
        return try FlightArea(
          route: points.map(\.place), eitherSide: AreaText.nauticalMiles(width, "--width"))
      case .around(_, let radius):
        return try FlightArea(
          route: points.map(\.place), eitherSide: AreaText.nauticalMiles(radius, "--radius"))
      case .box(let text): return try FlightArea(AreaText.boundingBox(text))
      }
    } catch let error as FlightAreaError {
      throw AreaText.fault(error.words(points), error.remedy)
    }
  }

  private static let units: [(ending: String, nauticalMiles: Double)] = [
    ("nm", 1), ("km", 1 / 1.852), ("mi", 1.609_344 / 1.852), ("sm", 1.609_344 / 1.852),
  ]

  /// Reads `25nm`, `40 km` or `30mi`.
  static func nauticalMiles(_ text: String, _ option: String) throws -> Double {
    let plain = text.lowercased().filter { !$0.isWhitespace }
    for unit in units where plain.hasSuffix(unit.ending) {
      if let number = Double(plain.dropLast(unit.ending.count)), number.isFinite {
        return number * unit.nauticalMiles
      }
    }
    throw fault(
      "\(option) takes a distance with its unit, not \"\(text)\"", "Write 25nm, 46km or 29mi.")
  }

  /// Reads `west,south,east,north`.
  static func boundingBox(_ text: String) throws -> BoundingBox {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
      .compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
    guard numbers.count == 4, text.filter({ $0 == "," }).count == 3 else {
      throw fault(
        "--bbox takes west,south,east,north in degrees, not \"\(text)\"",
        "Write --bbox=-122.6,37.2,-121.7,37.9; west and south are negative.")
    }
    return BoundingBox(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
  }

  static func fault(_ problem: String, _ remedy: String) -> UserError {
    UserError(.badCall, operation: "reading the area", reason: problem, suggestion: remedy)
  }
}

extension FlightAreaError {
  fileprivate func words(_ points: [RoutePoint]) -> String {
    switch self {
    case .emptyRoute: "it has no point"
    case .invalidCoordinate(let place):
      "\(place.latitude),\(place.longitude) is no place: a latitude is from -90 to 90, a longitude from -180 to 180"
    case .invalidDistance(let distance):
      "\((distance * 100).rounded() / 100) NM is no width: it must be more than 0 and at most 1,000"
    case .invalidBox(let box):
      "\(box.west),\(box.south),\(box.east),\(box.north) is no box of west, south, east and north"
    case .antipodalLeg(let from, let to):
      "no great circle from \(points.name(of: from)) to \(points.name(of: to)) is the shortest: they are opposite on the earth"
    }
  }

  fileprivate var remedy: String {
    switch self {
    case .invalidBox:
      "A box across 180 degrees has a west that is larger than its east, such as 172,51,-176,54."
    case .antipodalLeg: "Name a point between them."
    default: "Correct it and run again."
    }
  }
}

extension [RoutePoint] {
  fileprivate func name(of place: Coordinate) -> String {
    first { $0.place == place }?.name ?? "\(place.latitude),\(place.longitude)"
  }
}
