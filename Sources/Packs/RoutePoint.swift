public import ChartpipeClient
internal import Foundation

/// A point of a route that was looked up.
public struct RoutePoint: Equatable, Sendable {
  /// As it was written: `KPAO`, `37.46,-122.11`
  public var name: String
  public var place: Coordinate
  /// What it is, for people: `airport PALO ALTO`, `VOR/DME SAN JOSE`, `coordinates`.
  public var kind: String

  /// Reads coordinates: `37.46,-122.11`, `37.46N122.11W` or `3728N12207W` (degrees and minutes); nil for anything else.
  init?(coordinates text: String) {
    guard let place = RoutePoint.signed(text) ?? RoutePoint.lettered(text) else { return nil }
    (name, kind, self.place) = (text, "coordinates", place)
  }

  init(name: String, kind: String, place: Coordinate) {
    (self.name, self.kind, self.place) = (name, kind, place)
  }

  private static func signed(_ text: String) -> Coordinate? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]) else {
      return nil
    }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  private static func lettered(_ text: String) -> Coordinate? {
    guard
      let match = text.uppercased()
        .wholeMatch(of: /(\d{1,6}(?:\.\d+)?)([NS])[,\/]?(\d{1,7}(?:\.\d+)?)([EW])/),
      let latitude = degrees(match.1, whole: 2), let longitude = degrees(match.3, whole: 3)
    else { return nil }
    return Coordinate(
      latitude: match.2 == "S" ? -latitude : latitude, longitude: match.4 == "W" ? -longitude : longitude)
  }

  /// `37.46`, `3728`, `3728.5` or `372839`: degrees, with minutes and seconds where there are digits for them.
  private static func degrees(_ text: Substring, whole: Int) -> Double? {
    let digits = text.prefix { $0 != "." }
    if digits.count <= whole { return Double(text) }
    let degrees = Double(digits.prefix(whole)) ?? 0
    if digits.count == whole + 2 {
      guard let minutes = Double(text.dropFirst(whole)), minutes < 60 else { return nil }
      return degrees + minutes / 60
    }
    guard digits.count == whole + 4, let minutes = Double(digits.dropFirst(whole).prefix(2)), minutes < 60,
      let seconds = Double(text.dropFirst(whole + 2)), seconds < 60
    else { return nil }
    return degrees + minutes / 60 + seconds / 3600
  }
}
