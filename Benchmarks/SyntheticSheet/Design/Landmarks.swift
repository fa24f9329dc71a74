public import Core

/// An airport as the chart shows it.
public struct Airport: Sendable {
  public struct Runway: Sendable {
    public var id: String
    /// Feet.
    public var length: Int
    public var isPaved: Bool
    /// Both ends where the rows give them.
    public var ends: [GeoPoint]
  }

  public var id: String
  public var name: String
  public var position: GeoPoint
  /// Feet above mean sea level.
  public var elevation: Double
  public var isHeliport: Bool
  public var isPrivate: Bool
  public var isTowered: Bool
  public var hasFuel: Bool
  public var hasLights: Bool
  /// Degrees, east positive.
  public var magneticVariation: Double
  public var runways: [Runway]
  /// Use, then megahertz as text; only what a sectional prints (tower, ATIS, CTAF, UNICOM).
  public var frequencies: [String: String]

  public var longestRunway: Int { runways.map(\.length).max() ?? 0 }
}

/// A radio navigation aid as the chart shows it.
public struct Navaid: Sendable {
  public var id: String
  public var type: String
  public var name: String
  public var position: GeoPoint
  public var frequency: String
  public var channel: String
  public var magneticVariation: Double

  /// Whether pilots fly its radials, so that it gets a compass rose.
  public var hasRadials: Bool { type.hasPrefix("VOR") || type == "TACAN" }
}
