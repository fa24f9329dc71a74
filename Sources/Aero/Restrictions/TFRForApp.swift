internal import Core
internal import Foundation

/// An area in one period as OpenEFB decodes it. It counts as closed between the two dates.
struct TFRForApp: Encodable {
  let id: String
  let type: TFRNotice.Kind
  let description: String
  /// Seconds since 2001-01-01.
  let effectiveDate: Int
  let expirationDate: Int
  let latitude: Double
  let longitude: Double
  var radiusNM: Double?
  /// Latitude first; empty for a circle.
  var boundaries: [[Double]] = []
  let floorAltitude: Int
  let ceilingAltitude: Int
}

extension TFRNotice {
  /// Whether the app gets it: it forbids flights with pilots, and is no test.
  var isForApp: Bool { !isForDronesOnly && !isTest }

  /// The areas that are closed at a time or later, in the app's form.
  func forApp(around time: Instant) -> [TFRForApp] {
    isForApp ? areas.flatMap { forApp($0, around: time) } : []
  }

  private func forApp(_ area: TFRArea, around time: Instant) -> [TFRForApp] {
    guard let shape = area.shape else { return [] }
    let rings = shape.circle == nil ? shape.map.appRings : []
    return area.spans(around: time, immediately: immediately).flatMap { number, span in
      let id = "\(name)-\(area.number)-\(number)" + (span.isRest ? "-later" : "-\(span.from.compact)")
      func element(_ id: String, _ middle: GeoPoint, radius: Double? = nil, _ ring: [[Double]] = [])
        -> TFRForApp
      {
        TFRForApp(
          id: id, type: kind, description: description(of: area), effectiveDate: span.from.secondsSince2001,
          expirationDate: span.until.secondsSince2001, latitude: middle.latitude, longitude: middle.longitude,
          radiusNM: radius, boundaries: ring, floorAltitude: area.feet.floor,
          ceilingAltitude: area.feet.ceiling)
      }
      if let circle = shape.circle {
        return [element(id, circle.center.degrees, radius: circle.metres / 1852)]
      }
      return rings.enumerated().compactMap { part, ring in
        let box = GeoBox(around: ring.map { GeoPoint(latitude: $0[0], longitude: $0[1]) })
        return box.map { element(part == 0 ? id : "\(id)-\(part + 1)", $0.center, ring) }
      }
    }
  }

  /// What a pilot reads first: place, limits, times, purpose, rule.
  private func description(of area: TFRArea) -> String {
    let hours = area.about.periods.compactMap(\.hours)
    let parts = [
      doubts.isEmpty ? nil : "UNCONFIRMED: check the NOTAM", area.about.name, place, area.limits,
      hours.isEmpty ? nil : hours.joined(separator: "; "), detail?.purpose, detail?.rule,
    ]
    return parts.compactMap(\.self).joined(separator: ". ")
  }
}

extension TFRArea {
  /// `SFC to 10000 ft MSL`
  var limits: String {
    "\(about.floor?.text ?? "SFC (assumed)") to \(about.ceiling?.text ?? "UNL (assumed)")"
  }

  /// The spans of its periods, each with the number of the period.
  func spans(around time: Instant, immediately: Instant) -> [(period: Int, span: TFRPeriod.Span)] {
    about.periods.enumerated().flatMap { number, period in
      period.spans(around: time, immediately: immediately).map { (number + 1, $0) }
    }
  }
}

extension MapShape {
  /// The rings of each polygon, closed, longitude first.
  var closedRings: [[[[Double]]]] {
    polygons.map { rings in
      rings.map { ring in (ring + ring.prefix(1)).map { [$0.degrees.longitude, $0.degrees.latitude] } }
    }
  }

  /// One ring for each polygon, latitude first, with cuts to its holes.
  fileprivate var appRings: [[[Double]]] {
    closedRings.map { AirspaceRing.cutOpen($0).map { [$0[1], $0[0]] } }
  }
}

extension ShapePoint {
  /// Between -180 and 180.
  var degrees: GeoPoint {
    let point = near(ShapePoint(x: 0, y: 0))
    return GeoPoint(longitude: ShapePoint.degrees(point.x), latitude: ShapePoint.degrees(point.y))
  }
}

extension Instant {
  fileprivate var secondsSince2001: Int { secondsSince1970 - 978_307_200 }

  /// `20261001T1600Z`
  fileprivate var compact: String { description.filter { $0 != "-" && $0 != ":" }.dropLast(3) + "Z" }
}
