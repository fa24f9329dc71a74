internal import Core

/// An area in one period as OpenEFB decodes it. It counts as closed between the two dates.
struct TFRForApp: Encodable {
  let id: String
  let type: String
  let description: String
  /// Seconds since 2001-01-01.
  let effectiveDate: Int
  let expirationDate: Int
  let latitude: Double
  let longitude: Double
  let radiusNM: Double?
  /// Latitude first; empty for a circle.
  let boundaries: [[Double]]
  let floorAltitude: Int
  let ceilingAltitude: Int
}

extension TFRNotice {
  /// The spans of an area for the app, each with the number of its period.
  func spans(of area: TFRArea, around time: Instant) -> [(period: Int, span: TFRPeriod.Span)] {
    guard !isForDronesOnly, !isTest else { return [] }
    // The times of an outdated detail say nothing: the TFR may have been extended.
    let periods = doubts.contains(.olderDetail) ? [TFRPeriod()] : area.periods
    return periods.enumerated().flatMap { number, period in
      period.spans(around: time, immediately: immediately).map { (number + 1, $0) }
    }
  }

  /// Its areas in the app's form.
  func forApp(around time: Instant) -> [TFRForApp] { areas.flatMap { forApp($0, around: time) } }

  private func forApp(_ area: TFRArea, around time: Instant) -> [TFRForApp] {
    let places = area.shape?.places ?? []
    return spans(of: area, around: time).flatMap { number, span in
      let start = span.isRest ? "later" : span.from.description.filter { $0.isLetter || $0.isNumber }
      return places.enumerated().map { part, place in
        TFRForApp(
          id: "\(name)-\(area.number)-\(number)-\(start)" + (part == 0 ? "" : "-\(part + 1)"), type: kind,
          description: description(of: area), effectiveDate: span.from.secondsSince2001,
          expirationDate: span.until.secondsSince2001, latitude: place.middle.latitude,
          longitude: place.middle.longitude, radiusNM: place.radius, boundaries: place.ring,
          floorAltitude: area.feet.floor, ceilingAltitude: area.feet.ceiling)
      }
    }
  }

  /// What a pilot reads first: place, limits, times, purpose, rule.
  private func description(of area: TFRArea) -> String {
    let (floor, ceiling) = (area.floor?.text ?? "SFC (assumed)", area.ceiling?.text ?? "UNL (assumed)")
    let doubt = doubts.isEmpty ? nil : "UNCONFIRMED: check the NOTAM"
    let before = [doubt, area.name, place, "\(floor) to \(ceiling)"]
    let after = [detail?["txtDescrPurpose"], detail?.rule]
    return (before + area.periods.map(\.hours) + after).compactMap(\.self).joined(separator: ". ")
  }
}

extension TFRShape {
  /// The circle, or a ring with latitude first for each polygon.
  fileprivate var places: [(middle: GeoPoint, radius: Double?, ring: [[Double]])] {
    if let circle { return [(circle.center.degrees, circle.metres / 1852, [])] }
    return map.closedRings.compactMap { rings in
      GeoBox(closed: rings[0]).map { ($0.center, nil, AirspaceRing.cutOpen(rings).map { [$0[1], $0[0]] }) }
    }
  }
}

extension GeoBox {
  /// The box around a ring with longitude first.
  init?(closed ring: [[Double]]) {
    self.init(around: ring.map { GeoPoint(longitude: $0[0], latitude: $0[1]) })
  }
}

extension MapShape {
  /// The rings of each polygon, closed, longitude first.
  var closedRings: [[[[Double]]]] {
    polygons.map {
      $0.map { ring in (ring + ring.prefix(1)).map { [$0.degrees.longitude, $0.degrees.latitude] } }
    }
  }
}

extension ShapePoint {
  var degrees: GeoPoint { GeoPoint(longitude: ShapePoint.degrees(x), latitude: ShapePoint.degrees(y)) }
}

extension Instant {
  fileprivate var secondsSince2001: Int { secondsSince1970 - 978_307_200 }
}
