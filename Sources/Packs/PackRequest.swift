public import Core
public import Foundation
public import Site

/// What a pack is cut from, of which area, and how.
public struct PackRequest: Sendable {
  public enum Source: Sendable {
    case site(PublishedSite)
    /// A single archive of any raster tiles.
    case archive(URL)
  }

  public var source: Source
  public var area: AreaText
  /// Nil for all zooms of the charts.
  public var zooms: ClosedRange<Int>?
  /// A family, or ids of charts; empty for the family that covers most of the area.
  public var charts: [String] = []
  /// When the pack will be used: editions are chosen by it.
  public var time: Instant
  /// Whether editions that are not in force at that time may be packed.
  public var allowsExpired = false
  /// Whether a part of the route may lie outside of the charts.
  public var allowsGaps = false
  public var wantsAirports = true
  /// For people; nil for the area's own words.
  public var name: String?
  /// Where whole files of a site on the web are kept.
  public var cache: URL
  public var jobs = 4
  /// The key that must have signed a site's catalogue; nil for no check of its signature.
  public var publicKey: VerifyingKey?

  public init(_ source: Source, _ area: AreaText, at time: Instant, cache: URL) {
    (self.source, self.area, self.time, self.cache) = (source, area, time, cache)
  }
}
