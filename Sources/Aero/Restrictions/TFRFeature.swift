internal import Core
internal import Foundation

/// The properties of an area, or of a NOTAM without areas, in `tfr.geojson`.
private struct TFRProperties: Encodable {
  let notam: String
  let year: Int?
  let guid: String?
  let type: TFRNotice.Kind
  let listType: String?
  let rule: String?
  let facility: String?
  let state: String?
  let title: String?
  let place: String?
  let purpose: String?
  let text: String?
  let issued: Instant?
  let modified: Instant?
  let forDronesOnly: Bool
  let isTest: Bool
  let unconfirmed: [TFRNotice.Doubt]?
  var area: Int?
  var areaName: String?
  var floor: String?
  var ceiling: String?
  var floorFeet: Int?
  var ceilingFeet: Int?
  var floorIncluded: Bool?
  var ceilingIncluded: Bool?
  /// Longitude and latitude.
  var center: [Double]?
  var radiusNM: Double?
  var periods: [TFRPeriod]

  init(_ notice: TFRNotice) {
    let (entry, detail) = (notice.entry, notice.detail)
    (notam, type, place) = (notice.name, notice.kind, notice.place)
    (year, guid, rule, purpose) = (detail?.year, detail?.guid, detail?.rule, detail?.purpose)
    (text, issued, facility) = (detail?.text, detail?.issued, detail?.facility ?? entry.facility)
    (listType, state, title, modified) = (entry.type, entry.state, entry.title, entry.modified)
    (forDronesOnly, isTest) = (notice.isForDronesOnly, notice.isTest)
    unconfirmed = notice.doubts.isEmpty ? nil : notice.doubts
    periods = [TFRPeriod(from: detail?.from, until: detail?.until)]
  }

  mutating func add(_ area: TFRArea) {
    let about = area.about
    (self.area, areaName, periods) = (area.number, about.name, about.periods)
    (floor, ceiling) = (about.floor?.text, about.ceiling?.text)
    (floorFeet, ceilingFeet) = (area.feet.floor, area.feet.ceiling)
    (floorIncluded, ceilingIncluded) = (about.includesFloor, about.includesCeiling)
    guard let circle = area.shape?.circle else { return }
    (center, radiusNM) = (
      [circle.center.degrees.longitude, circle.center.degrees.latitude], circle.metres / 1852
    )
  }
}

extension TFRNotice {
  /// GeoJSON features: one for each area, or one without geometry.
  func features() throws -> [Data] {
    let plain = TFRProperties(self)
    if areas.isEmpty { return [try TFRNotice.feature(name, nil, plain)] }
    return try areas.map { area in
      var properties = plain
      properties.add(area)
      return try TFRNotice.feature("\(name)-\(area.number)", area.shape?.map.geoJSON, properties)
    }
  }

  private static func feature(_ id: String, _ geometry: String?, _ properties: TFRProperties) throws -> Data {
    let head = #"{"type":"Feature","id":"\#(id)","geometry":\#(geometry ?? "null"),"properties":"#
    return Data(head.utf8) + (try CanonicalJSON.line(properties)) + Data("}".utf8)
  }
}
