internal import Core

extension ReportContent {
  /// The map of each family of charts at the head of the report: what changed, what is held back, and which chart is missing. Nil if
  /// there is no family with several charts.
  var mapSection: ReportSection? {
    let families = MappedFamily.all(self)
    guard !families.isEmpty else { return nil }
    let maps = families.enumerated().map { FamilyMap(family: $1, isOpen: $0 == 0).html }
    return ReportSection("Map", anchor: "map", maps.joined(separator: "\n"))
  }
}

/// The map of one family in Web Mercator, folded except for the first.
struct FamilyMap {
  let family: MappedFamily
  let isOpen: Bool

  private static let room = (width: 1000.0, height: 620.0)
  private static let margin = 8.0
  private static let letter = 6.0

  var html: String {
    """
    <details class="map" name="map"\(isOpen ? " open" : "")><summary>\(escaped(family.name)) <small>\(summary)</small></summary>
    <ul class="legend">\(legend.joined())</ul>
    \(drawing)\(unplaced)
    </details>
    """
  }

  /// `54 of 57 charts`
  private var summary: String {
    let staged = family.count(.fresh) + family.count(.same)
    let all = Counts.of(family.charts.count, "chart")
    return staged == family.charts.count ? all : "\(Counts.grouped(staged)) of \(all)"
  }

  private var legend: [String] {
    MappedChart.State.allCases.filter { family.count($0) > 0 }.map { state in
      let sign = state.words.mark.isEmpty ? "" : " \(state.words.mark)"
      return
        "<li><svg viewBox=\"0 0 32 20\" aria-hidden=\"true\"><path class=\"\(state.rawValue)\" d=\"M1 1h30v18h-30Z\"/></svg>\(sign) \(Counts.grouped(family.count(state))) \(state.words.title)</li>"
    }
  }

  private var unplaced: String {
    let names = family.charts.filter { $0.rings == nil }.map(\.name)
    guard !names.isEmpty else { return "" }
    return
      "\n<p class=\"soft\">Not on the map, since their outlines are not known: \(escaped(names.joined(separator: ", "))).</p>"
  }

  /// Charts without tiles lie below those with tiles, and small charts on top of large ones.
  private var drawing: String {
    let rings = family.charts.map { ($0.rings ?? []).map(FamilyMap.unwrapped) }
    guard let world = GeoBox(aroundWorld: rings.joined().compactMap { GeoBox(around: $0) }) else { return "" }
    let planes = rings.map { $0.map { FamilyMap.plane($0, eastOf: world.west) } }
    guard let frame = PlaneBox(around: planes.flatMap(\.self).flatMap(\.self)) else { return "" }
    let (width, height) = (frame.maxX - frame.minX, frame.maxY - frame.minY)
    let scale = min(FamilyMap.room.width / max(width, 1), FamilyMap.room.height / max(height, 1))
    let place = { (point: PlanePoint) in
      PlanePoint(
        x: FamilyMap.margin + (point.x - frame.minX) * scale,
        y: FamilyMap.margin + (frame.maxY - point.y) * scale)
    }
    let drawn = zip(family.charts, planes).compactMap {
      chart, rings -> (chart: MappedChart, shape: MapOutline)? in
      MapOutline(rings.map { $0.map(place) }).map { (chart, $0) }
    }.sorted { one, other in
      (one.chart.isCovered ? 1 : 0, -one.shape.area) < (other.chart.isCovered ? 1 : 0, -other.shape.area)
    }
    let size = [width, height].map { NumberText.plain($0 * scale + 2 * FamilyMap.margin) }
    return """
      <svg viewBox="0 0 \(size.joined(separator: " "))" role="group" aria-label="Map of the charts">
      \(drawn.map { html($0.chart, $0.shape) }.joined(separator: "\n"))
      </svg>
      """
  }

  private func html(_ chart: MappedChart, _ shape: MapOutline) -> String {
    let fits = Double(chart.name.count) * FamilyMap.letter < shape.box.maxX - shape.box.minX
    let label = [chart.state.words.mark, fits ? escaped(chart.name) : ""].filter { !$0.isEmpty }.joined(
      separator: " ")
    let (x, y) = (NumberText.plain(shape.box.center.x), NumberText.plain(shape.box.center.y + 4))
    return "<a href=\"#\(escaped(chart.link))\"><title>\(escaped(chart.detail))</title>"
      + "<path class=\"\(chart.state.rawValue)\" d=\"\(shape.path)\"/>"
      + (label.isEmpty ? "" : "<text x=\"\(x)\" y=\"\(y)\">\(label)</text>") + "</a>"
  }

  /// Makes the longitudes of a ring continuous across 180 degrees.
  private static func unwrapped(_ ring: [GeoPoint]) -> [GeoPoint] {
    var last = ring.first?.longitude ?? 0
    return ring.map { point in
      last = point.longitude - 360 * ((point.longitude - last) / 360).rounded()
      return GeoPoint(longitude: last, latitude: point.latitude)
    }
  }

  /// Web Mercator in degrees, moved by whole turns to the first one east of a meridian.
  private static func plane(_ ring: [GeoPoint], eastOf west: Double) -> [PlanePoint] {
    let middle = GeoBox(around: ring)?.center.longitude ?? west
    let turn = 360 * ((middle - west) / 360).rounded(.down)
    return ring.map { point in
      let place = WebMercator.project(point)
      return PlanePoint(x: point.longitude - turn, y: place.y / WebMercator.halfWorld * 180)
    }
  }
}

/// The outline of a chart in units of the map.
private struct MapOutline {
  let path: String
  let box: PlaneBox
  var area: Double { (box.maxX - box.minX) * (box.maxY - box.minY) }

  init?(_ rings: [[PlanePoint]]) {
    guard let box = PlaneBox(around: rings.flatMap(\.self)) else { return nil }
    self.box = box
    path = rings.map { ring in
      // Points less than a unit apart cannot be distinguished.
      let points = ring.reduce(into: [PlanePoint]()) { kept, point in
        if kept.last.map({ $0.distance(to: point) >= 1 }) ?? true { kept.append(point) }
      }
      return "M" + points.map { "\(NumberText.plain($0.x)) \(NumberText.plain($0.y))" }.joined(separator: "L")
        + "Z"
    }.joined()
  }
}
