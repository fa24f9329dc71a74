internal import Core

/// The map of each family of charts at the head of the report: what changed, what is held back, and where a chart is missing.
struct MapSection {
  let content: ReportContent

  /// Nil if there is no family with several charts.
  var section: ReportSection? {
    let families = MappedFamily.all(content)
    guard !families.isEmpty else { return nil }
    let maps = families.enumerated().map { index, family in
      FamilyMap(family: family, isOpen: index == 0).html
    }
    return ReportSection("Map", anchor: "map", MapStyle.patterns + "\n" + maps.joined(separator: "\n"))
  }
}

/// The map of one family, folded except for the first: a large panel, and a small one for each far region.
struct FamilyMap {
  private let family: MappedFamily
  private let isOpen: Bool
  private let panels: [FamilyPanel]
  private static let largest = (width: 960.0, height: 560.0)
  private static let far = (width: 300.0, height: 220.0)
  private static let small = (width: 146.0, height: 120.0)

  init(family: MappedFamily, isOpen: Bool) {
    (self.family, self.isOpen) = (family, isOpen)
    let charts = Dictionary(grouping: family.charts.filter { $0.rings != nil }) { FamilyMap.region($0) }
    let regions = MapRegion.allCases.filter { charts[$0] != nil }
    panels = regions.compactMap { region in
      let ground = family.ground.filter { MapRegion(ofRing: $0) == region }
      let shown = charts[region] ?? []
      let size =
        region == regions[0] ? FamilyMap.largest : region == regions[1] ? FamilyMap.far : FamilyMap.small
      return MapPanel(region, showing: shown.flatMap { $0.rings ?? [] } + ground, within: size).map {
        FamilyPanel(panel: $0, charts: shown, ground: ground)
      }
    }
  }

  private static func region(_ chart: MappedChart) -> MapRegion {
    chart.rings?.first.map { MapRegion(ofRing: $0) } ?? .mainland
  }

  var html: String {
    let far = panels.dropFirst()
    let rest = far.isEmpty ? "" : "<div class=\"far\">\(far.map(\.html).joined(separator: "\n"))</div>"
    return """
      <details class="map" name="map"\(isOpen ? " open" : "")><summary>\(escaped(family.name)) <small>\(summary)</small></summary>
      <ul class="legend">\(legend.joined())</ul>
      <div class="panels\(far.isEmpty ? " single" : "")">\(panels.first?.html ?? "")
      \(rest)</div>\(unplaced)
      </details>
      """
  }

  /// `54 of 57 charts`
  private var summary: String {
    let staged = family.count(.fresh) + family.count(.same)
    let all = family.charts.count
    return staged == all
      ? Counts.of(all, "chart") : "\(Counts.grouped(staged)) of \(Counts.of(all, "chart"))"
  }

  private var legend: [String] {
    let states = MappedChart.State.allCases.filter { family.count($0) > 0 }.map { state in
      (style: state.rawValue, mark: state.mark, text: "\(Counts.grouped(family.count(state))) \(state.title)")
    }
    let holes = panels.map(\.holes).reduce(0, +)
    let rows = states + [(style: "hole", mark: "", text: "\(Counts.of(holes, "area")) without a chart")]
    return rows.filter { holes > 0 || $0.style != "hole" }.map { row in
      let sign = row.mark.isEmpty ? "" : "<text x=\"16\" y=\"15\">\(row.mark)</text>"
      return
        "<li><svg viewBox=\"0 0 32 20\" aria-hidden=\"true\"><rect x=\"1\" y=\"1\" width=\"30\" height=\"18\" class=\"\(row.style)\"/>\(sign)</svg> \(row.text)</li>"
    }
  }

  private var unplaced: String {
    let names = family.charts.filter { $0.rings == nil }.map(\.name)
    guard !names.isEmpty else { return "" }
    return
      "\n<p class=\"soft\">Not on the map, since their outlines are not known: \(escaped(names.joined(separator: ", "))).</p>"
  }
}

extension MapRegion {
  init(ofRing ring: [GeoPoint]) {
    let level = PanelProjection(GeoBox(west: 0, south: 0, east: 0, north: 1)).unwrapped(ring)
    self.init(of: GeoBox(around: level)?.center ?? GeoPoint(longitude: 0, latitude: 0))
  }
}

/// The drawing of one panel.
struct FamilyPanel {
  private let panel: MapPanel
  private let charts: [(chart: MappedChart, rings: [PlaneRing])]
  private let ground: [PlaneRing]
  /// The number of areas that no staged chart covers.
  let holes: Int

  init(panel: MapPanel, charts: [MappedChart], ground: [[GeoPoint]]) {
    self.panel = panel
    let isCovered = { (chart: MappedChart) in chart.state == .same || chart.state == .fresh }
    let rings = charts.map { chart in (chart: chart, rings: (chart.rings ?? []).map(panel.ring)) }
    // Charts without tiles lie below those with tiles, so that only the real gaps show; insets lie on top.
    let drawn =
      rings.filter { !isCovered($0.chart) } + FamilyPanel.largestFirst(rings.filter { isCovered($0.chart) })
    self.charts = drawn
    self.ground = ground.map(panel.ring)
    holes =
      CoverageHoles(
        ground: self.ground + drawn.filter { !isCovered($0.chart) }.flatMap(\.rings),
        covered: drawn.filter { isCovered($0.chart) }.flatMap(\.rings), width: panel.width,
        height: panel.height
      ).count
  }

  private static func largestFirst(
    _ charts: [(chart: MappedChart, rings: [PlaneRing])]
  ) -> [(chart: MappedChart, rings: [PlaneRing])] {
    charts.map { ($0, $0.rings.reduce(0) { $0 + abs($1.signedArea) }) }
      .sorted { ($1.1, $0.0.chart.id) < ($0.1, $1.0.chart.id) }.map(\.0)
  }

  var html: String {
    let title = panel.region.title
    let size = "\(NumberText.plain(panel.width)) \(NumberText.plain(panel.height))"
    return """
      <figure><svg viewBox="0 0 \(size)" role="group" aria-label="Map of \(title ?? "the charts")">
      \(graticule)
      <g class="hole">\(ground.map { "<path d=\"\(path([$0]))\"/>" }.joined())</g>
      \(charts.map { shape($0.chart, $0.rings) }.joined(separator: "\n"))
      <g class="names" aria-hidden="true">\(charts.map { label($0.chart, $0.rings) }.joined())</g>
      </svg>\(title.map { "<figcaption>\($0)</figcaption>" } ?? "")</figure>
      """
  }

  private var graticule: String {
    let lines = panel.graticule
    let paths = lines.map { path($0.line) }.joined()
    let texts = lines.map {
      "<text x=\"\(NumberText.plain($0.at.x))\" y=\"\(NumberText.plain($0.at.y))\">\($0.label)</text>"
    }
    return "<g class=\"graticule\" aria-hidden=\"true\"><path d=\"\(paths)\"/>\(texts.joined())</g>"
  }

  private func shape(_ chart: MappedChart, _ rings: [PlaneRing]) -> String {
    "<a href=\"#\(escaped(chart.link))\"><title>\(escaped(chart.detail))</title>"
      + "<path class=\"\(chart.state.rawValue)\" d=\"\(path(rings))\"/></a>"
  }

  /// The mark and, where there is room, the name in one or two lines.
  private func label(_ chart: MappedChart, _ rings: [PlaneRing]) -> String {
    guard let box = rings.compactMap(\.box).max(by: { $0.maxX - $0.minX < $1.maxX - $1.minX }) else {
      return ""
    }
    let mark = chart.state.mark
    let lines = MapLabel.lines(chart.name, width: box.maxX - box.minX, height: box.maxY - box.minY)
    let x = NumberText.plain(box.center.x)
    let top = box.center.y - Double(lines.count) * MapLabel.height / 2 + (mark.isEmpty ? 9 : 12)
    let sign =
      mark.isEmpty
      ? ""
      : "<text class=\"mark-\(chart.state.rawValue)\" x=\"\(x)\" y=\"\(NumberText.plain(top - 11))\">\(mark)</text>"
    return sign
      + lines.enumerated().map { index, line in
        "<text x=\"\(x)\" y=\"\(NumberText.plain(top + Double(index) * MapLabel.height))\">\(escaped(line))</text>"
      }.joined()
  }

  private func path(_ rings: [PlaneRing]) -> String {
    rings.map { path($0.points) + "Z" }.joined()
  }

  private func path(_ points: [PlanePoint]) -> String {
    points.enumerated().map { index, point in
      "\(index == 0 ? "M" : index == 1 ? "L" : " ")\(NumberText.plain(point.x)) \(NumberText.plain(point.y))"
    }.joined()
  }
}

/// The name of a chart on the map.
enum MapLabel {
  static let height = 11.0
  private static let letter = 5.4

  /// Empty where the name does not fit.
  static func lines(_ name: String, width: Double, height room: Double) -> [String] {
    let fits = { (line: String) in Double(line.count) * letter < width - 4 }
    guard room > 2 * height else { return [] }
    if fits(name) { return [name] }
    let words = name.split(separator: " ").map(String.init)
    let splits = (1..<max(1, words.count)).map { count in
      [words.prefix(count).joined(separator: " "), words.dropFirst(count).joined(separator: " ")]
    }
    let best = splits.min { ($0.map(\.count).max() ?? 0) < ($1.map(\.count).max() ?? 0) }
    return best.map { $0.allSatisfy(fits) && room > 3 * height ? $0 : [] } ?? []
  }
}

/// Counts the areas of a panel that should be covered and are not.
struct CoverageHoles {
  let count: Int
  private static let cell = 2.0

  /// - Parameters: rings in the units of the panel.
  init(ground: [PlaneRing], covered: [PlaneRing], width: Double, height: Double) {
    let (columns, rows) = (Int(width / CoverageHoles.cell), Int(height / CoverageHoles.cell))
    let isOpen = (0..<max(0, rows * columns)).map { index in
      let point = PlanePoint(
        x: (Double(index % columns) + 0.5) * CoverageHoles.cell,
        y: (Double(index / columns) + 0.5) * CoverageHoles.cell)
      let contains = { (ring: PlaneRing) in ring.box?.contains(point) == true && ring.contains(point) }
      return ground.contains(where: contains) && !covered.contains(where: contains)
    }
    // Slivers along edges come from the simplification. Only cells whose neighbours are open too count.
    var inner = Set(
      isOpen.indices.filter { index in
        let (column, row) = (index % columns, index / columns)
        guard (1..<columns - 1).contains(column), (1..<rows - 1).contains(row) else { return false }
        return [-columns - 1, -columns, -columns + 1, -1, 0, 1, columns - 1, columns, columns + 1].allSatisfy
        {
          isOpen[index + $0]
        }
      })
    var areas = 0
    while let first = inner.popFirst() {
      areas += 1
      var edge = [first]
      while let cell = edge.popLast() {
        for next in [cell - columns, cell - 1, cell + 1, cell + columns] where inner.remove(next) != nil {
          edge.append(next)
        }
      }
    }
    count = areas
  }
}

/// The style of the maps, and the patterns that all of them use.
enum MapStyle {
  /// Outside the maps, since a pattern of a folded element is not drawn.
  static let patterns = """
    <svg class="patterns" aria-hidden="true"><defs>
    <pattern id="held-pattern" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="8" height="8"/><path d="M0 0v8"/></pattern>
    <pattern id="hole-pattern" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><path d="M0 0v6"/></pattern>
    </defs></svg>
    """

  static let sheet = """
    .patterns { position: absolute; width: 0; height: 0; }
    #held-pattern rect { fill: var(--doubt); }
    #held-pattern path { stroke: var(--doubt-ink); stroke-width: 2; opacity: 0.45; }
    #hole-pattern path { stroke: var(--alarm); stroke-width: 1.5; }
    .legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; margin: 0.25rem 0 0.75rem; padding: 0; list-style: none; }
    .legend svg { width: 2rem; height: 1.25rem; vertical-align: -0.25rem; }
    .map svg { display: block; }
    .legend svg { display: inline; }
    .panels { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 1fr); gap: 0.75rem; align-items: start; }
    .panels.single { display: block; }
    .panels figure { min-width: 0; }
    .panels figure svg { width: 100%; max-height: 36rem; border: 1px solid var(--line); border-radius: 0.5rem;
      background: var(--paper); }
    .far { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.5rem; }
    .far figure:first-child { grid-column: 1 / -1; }
    .map path, .legend rect { stroke: var(--ink); stroke-width: 1; stroke-linejoin: round; }
    .map .fresh { fill: var(--fresh); }
    .map .same { fill: var(--paper); }
    .map .held { fill: url(#held-pattern); stroke: var(--doubt-ink); }
    .map .missing { fill: url(#hole-pattern); stroke: var(--alarm); stroke-dasharray: 5 3; stroke-width: 1.5; }
    .map g.hole, .map rect.hole { fill: url(#hole-pattern); }
    .map .hole path, .map rect.hole { stroke: var(--alarm); stroke-width: 0.75; }
    .map a:hover path, .map a:focus path { stroke: var(--link); stroke-width: 3; }
    .map a:focus { outline: none; }
    .map text { fill: var(--ink); font: 10px/1 system-ui, sans-serif; text-anchor: middle; pointer-events: none; }
    .map .names text { paint-order: stroke; stroke: var(--paper); stroke-width: 3; stroke-linejoin: round; }
    .map .names .mark-held, .map .names .mark-missing { font-size: 15px; font-weight: 700; }
    .map .graticule path { fill: none; stroke: var(--line); stroke-width: 0.75; }
    .map .graticule text { fill: var(--soft); text-anchor: start; }
    .legend text { font-weight: 700; font-size: 14px; }
    @media (max-width: 44rem) {
      .panels { display: block; }
      .far { margin-top: 0.5rem; }
      .panels > figure :is(.names text:not([class]), .graticule text) { display: none; }
      .panels > figure .names text { font-size: 20px; }
      .panels > figure .names :is(.mark-held, .mark-missing) { font-size: 34px; }
    }
    """
}
