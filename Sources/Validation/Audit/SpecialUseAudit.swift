internal import Core
internal import Foundation
internal import SQLiteIO

/// Audits special-use airspace: each row of the database with the volumes of the AIXM.
struct SpecialUseAudit {
  private let source: SourceFile
  /// Whether the source has nothing else.
  private let isSeparate: Bool
  /// How far the build may move a boundary, in metres.
  private let tolerance: Double

  /// The designators of airspaces that the problems of the build name as dropped.
  private let dropped: Set<String>
  private let corrections: [Correction]

  init(_ source: SourceFile, isSeparate: Bool, tolerance metres: Double, problems: ProblemReport?) {
    (self.source, self.isSeparate, tolerance) = (source, isSeparate, metres)
    dropped = Set(problems?.dropped(from: "Saa_Sub_File.zip").map(\.value) ?? [])
    corrections = (problems?.usedCorrections ?? []).filter { $0.table.hasPrefix("Airspace") }
  }

  func result(_ database: SQLiteConnection) throws -> AuditResult {
    let areas = Dictionary(grouping: try areas()) { "\($0.designator)\0\($0.name)" }
    var (result, found): (AuditResult, [Int: (key: String, index: Int)]) = (AuditResult(), [:])
    var taken: Set<[Int]> = []
    var missing = areas.mapValues { named in
      named.map { area in (area.strata ?? []).indices.filter { area.strata?[$0].isSliver == false } }
    }
    let names = Self.columns.map { "\"\($0)\"" }.joined(separator: ", ")
    try database.prepare(
      "SELECT id, area, coalesce(designator, ''), name, geometry, \(names), south, north, west, east FROM airspaces WHERE kind = 'specialUse' ORDER BY id"
    ).rows { row in
      let key = "\(row.text(2) ?? "")\0\(row.text(3) ?? "")"
      let label = "\(row.int(0)) \(row.text(3) ?? "")"
      guard let named = areas[key] else { return result.add("airspaces", label, "it is not in the source") }
      let values = Dictionary(
        uniqueKeysWithValues: Self.columns.enumerated().map { ($1, row.auditValue($0 + 5)) })
      let shape = row.withText(4) { AuditShape(geoJSON: $0) }
      let ofStrata = named.map { ($0.strata ?? []).map { problem(values, shape, $0) } }
      let candidates = zip(named, ofStrata).map { area, strata -> String? in
        let ofArea = difference(values, area.values, Self.columns.filter { !Self.limitColumns.contains($0) })
        if ofArea != nil || area.strata == nil || strata.contains(where: { $0 == nil }) { return ofArea }
        return (strata.first { $0?.isOfShape == true } ?? strata.first)??.text
          ?? "the source has no volume of it"
      }
      // An airspace that the source repeats has the rows of one.
      missing[key] = zip(missing[key] ?? [], ofStrata).map { left, problems in
        left.filter { problems[$0] != nil }
      }
      let best = candidates.firstIndex(of: nil) ?? 0
      let box = shape.difference(fromBox: row, at: 5 + Self.columns.count)
      let ways = ofStrata[best].indices.filter { ofStrata[best][$0] == nil }
      let isFirst = ways.isEmpty || ways.contains { taken.insert([row.int(1), best, $0]).inserted }
      if let text = candidates[best] ?? box ?? (isFirst ? nil : "it is there twice") {
        result.add("airspaces", label, text)
      }
      result.values += Self.columns.count + 3
      found[row.int(1)] = (key, best)
    }
    for (key, left) in missing.sorted(by: { $0.key < $1.key }) where left.contains(where: { !$0.isEmpty }) {
      if dropped.contains(areas[key]?[0].designator ?? "") { continue }
      result.add("airspaces", key.replacing("\0", with: " "), "a volume of the source is missing")
    }
    result += try lists(database)
    for (table, rows) in [("airspaceTimes", \SpecialUseSource.times), ("airspaceFrequencies", \.frequencies)]
    {
      result += try details(
        table, database, found.mapValues { areas[$0.key]?[$0.index][keyPath: rows] ?? [] })
    }
    return result
  }

  /// The columns that follow from the attributes of an airspace, and those that follow from its one volume.
  private static let columns =
    ["class", "type", "city", "state", "agency", "usingAgency", "hours", "activity", "remark"] + limitColumns
  private static let limitColumns = [
    "excluded", "isComplete",
    "floor", "floorDatum", "floorText", "floorFeet", "floorMinimum", "ceiling", "ceilingDatum", "ceilingText",
    "ceilingFeet", "ceilingMaximum",
  ]

  /// The first difference between a row and a stratum.
  private func problem(
    _ values: [String: AuditValue], _ shape: AuditShape, _ stratum: SpecialUseStratum
  ) -> (text: String, isOfShape: Bool)? {
    if let text = difference(values, stratum.values, Self.limitColumns) { return (text, false) }
    return difference(shape, stratum).map { ($0, true) }
  }

  private func difference(
    _ values: [String: AuditValue], _ others: [String: AuditValue], _ columns: [String]
  ) -> String? {
    columns.lazy.compactMap { column -> String? in
      let (own, other) = (values[column] ?? .null, others[column] ?? .null)
      return own.hash == other.hash ? nil : "\(column) is \(own.shown), and in the source \(other.shown)"
    }.first
  }

  /// Where boundaries cross, the build has corners that the source has not; they are on its lines.
  private func difference(_ shape: AuditShape, _ stratum: SpecialUseStratum) -> String? {
    let slack = tolerance + 10 + 2 * stratum.misfit
    let texts = zip(stratum.shapes, stratum.lines).map { source, lines -> String? in
      if lines.hasStrangers(in: shape, metres: slack) { return AuditShape.strange }
      if !stratum.isRepaired, shape.hasStrangers(in: source, metres: slack) {
        return AuditShape.lacking
      }
      return source.difference(shape, metres: slack)
    }
    return texts.contains(nil) ? nil : texts[0]
  }

  /// Compares the rows of a table that belong to airspaces, by the numbers of these.
  private func details(
    _ table: String, _ database: SQLiteConnection, _ expected: [Int: [[AuditValue]]]
  ) throws -> AuditResult {
    var (result, rows): (AuditResult, [Int: [[UInt64]]]) = (AuditResult(), [:])
    try database.prepare("SELECT * FROM \(table) ORDER BY area, number").rows { row in
      rows[row.int(0), default: []].append((1..<row.columnCount).map(row.auditHash))
      result.values += row.columnCount - 2
    }
    for area in Set(rows.keys).union(expected.keys).sorted() {
      let other = (expected[area] ?? []).enumerated().map { index, values in
        [AuditValue(index + 1).hash] + values.map(\.hash)
      }
      if rows[area] ?? [] != other {
        result.add(table, "area \(area)", "its rows differ from those of the source")
      }
    }
    return result
  }

  /// Compares the JSON of the times with their rows.
  private func lists(_ database: SQLiteConnection) throws -> AuditResult {
    let columns = try database.columns(of: "airspaceTimes").dropFirst(2)
    let differs = columns.map { "json_extract(e.value, '$.\($0)') IS NOT t.\"\($0)\"" }.joined(
      separator: " OR ")
    return try database.prepare(
      """
      SELECT a.id FROM airspaces a WHERE kind = 'specialUse' AND (
        (SELECT count(*) FROM airspaceTimes t WHERE t.area = a.area) <> coalesce(json_array_length(times), 0)
        OR EXISTS (SELECT 1 FROM json_each(times) e LEFT JOIN airspaceTimes t ON t.area = a.area AND t.number = e.key + 1
          WHERE \(differs))) ORDER BY 1
      """
    ).map { $0.int(0) }.reduce(into: AuditResult()) { result, id in
      result.add("airspaces", "\(id)", "times differ from the rows of airspaceTimes")
    }
  }

  // MARK: - The sources

  /// Each airspace from its own file, not from the copies in the files of its neighbours.
  private func areas() throws -> [SpecialUseSource] {
    var files: [String: [SpecialUseSource]] = [:]
    let container = try SourceContainer(source)
    let isNamed = container.members.contains {
      Self.isOfSpecialUse($0) && $0.name.lowercased().hasSuffix(".zip")
    }
    try collect(container, depth: 0, isSeparate && !isNamed ? { _ in true } : Self.isOfSpecialUse, &files)
    let all = files.sorted { $0.key < $1.key }.flatMap(\.value)
    let owned = Set(all.filter { !$0.isInlined }.map(\.designator))
    return all.filter { !$0.isInlined || !owned.contains($0.designator) }
  }

  /// Applies the corrections that were used to the FAA's own values of an airspace.
  private func correct(_ area: AIXMElement) {
    let slice = area.first("AirspaceTimeSlice") ?? area
    func value(_ column: String, in part: AIXMElement) -> String {
      let (name, unit) = (column.prefix { $0 != " " }, column.hasSuffix(" uom"))
      let own = name == "designator" || name == "name" ? slice[String(name)] : part.first(String(name))
      return (unit ? own?.attributes["uom"] : own?.text) ?? ""
    }
    let found = corrections.flatMap { correction in
      let parts = correction.table == "Airspace" ? [slice] : slice.all("AirspaceGeometryComponent")
      return parts.filter { part in
        value(correction.column, in: part) == correction.faa
          && correction.row.allSatisfy { value($0.key, in: part) == $0.value }
      }.map { (correction, $0) }
    }
    for (correction, part) in found { part.set(correction.right, in: correction.column) }
  }

  private static func isOfSpecialUse(_ member: SourceContainer.Member) -> Bool {
    member.name.lowercased().contains("saa")
  }

  private func collect(
    _ container: SourceContainer, depth: Int, _ isWanted: (SourceContainer.Member) -> Bool,
    _ files: inout [String: [SpecialUseSource]]
  ) throws {
    for member in container.members where isWanted(member) {
      let name = member.name.lowercased()
      if name.hasSuffix(".zip"), depth < 3 {
        try collect(container.container(member), depth: depth + 1, { _ in true }, &files)
      } else if name.hasSuffix(".xml"), files[member.fileName] == nil {
        try CancellationToken.current.check()
        let bytes = try container.read(member)
        // The problems of the build name a file that cannot be read.
        if let root = try? AIXMElement.read(bytes).first {
          for area in root.all("Airspace") { correct(area) }
          files[member.fileName] = SpecialUseSource.all(in: root)
        }
      }
    }
  }
}
