internal import Core
internal import Synchronization

/// The FAA's tables of one database, read for the audit.
///
/// `@unchecked Sendable`: a lock guards the container. The airports and the numbers of rows are set before several threads read them.
final class AuditSources: @unchecked Sendable {
  /// Larger files are read in pieces. Other threads cannot read a file at that time; a database with such a file has only one.
  private static let mostMemory = 32 << 20
  private let container: SourceContainer
  private let lock = Mutex(())
  private let corrections: [Correction]
  private let problems: ProblemReport?
  private(set) var airports = AuditAirports()
  /// The runways of airports: site number, type of site and name.
  private(set) var runways: Set<String> = []
  private var numbers: [String: [String: Int?]] = [:]

  /// - Parameters:
  ///   - container: the tables, or the subscription with an archive of them.
  ///   - problems: those of the build; nil if they are not known.
  init(_ container: SourceContainer, cycle: AiracCycle, problems: ProblemReport?) throws {
    let archive = "\(cycle.effectiveDay.dayNameYear)_CSV.zip".lowercased()
    let inner = container.members.first { $0.fileName.lowercased() == archive }
    self.container = try inner.map { try container.container($0) } ?? container
    self.problems = problems
    corrections = problems?.usedCorrections ?? []
    if let file = try file("APT_BASE") { airports = try AuditAirports(file) }
    guard let file = try file("APT_RWY") else { return }
    let places = ["SITE_NO", "SITE_TYPE_CODE", "RWY_ID"].map(file.place)
    try file.scan { row in
      let texts = places.map(row.text)
      if airports[texts[0], texts[1]] != nil, let key = row.key(places) { runways.insert(key) }
    }
  }

  /// A table; nil if the sources lack it.
  func file(_ table: String) throws -> AuditFile? { try file(named: table + ".csv") }

  /// The Digital Obstacle File.
  func obstacles() throws -> AuditFile? {
    let names = container.members.map(\.fileName)
    let name =
      names.first { $0.lowercased().hasSuffix(".csv") } ?? names.first { $0.lowercased() == "dof.dat" }
    return try name.flatMap { try file(named: $0) }
  }

  private func file(named name: String) throws -> AuditFile? {
    guard let member = container.members.first(where: { $0.fileName.lowercased() == name.lowercased() })
    else {
      return nil
    }
    let corrections = corrections.filter { $0.table == name.prefix { $0 != "." }.uppercased() }
    let dropped = Set((problems?.dropped(from: name) ?? []).map(\.line))
    guard member.size > Self.mostMemory else {
      let bytes = try lock.withLock { _ in try container.read(member) }
      return try AuditFile(name, bytes, corrections, dropped: dropped)
    }
    return try AuditFile(name, corrections, dropped: dropped) { [self] each in
      try lock.withLock { _ in try container.read(member, inPiecesOf: 1 << 20, each) }
    }
  }

  /// The numbers of a table's rows by a key; nil for a key of several rows.
  func numbers(of key: RowKey) -> [String: Int?] { numbers[key.name] ?? [:] }

  /// The same by the one key of a table.
  func numbers(ofTable table: String) -> [String: Int?] {
    FieldAudit.tables.first { $0.schema.name == table }?.keys.first.map(numbers) ?? [:]
  }

  func set(_ found: [String: Int?], of key: RowKey) { numbers[key.name] = found }

  /// The lines of another table by the keys of the rows to which they belong.
  func lines(_ gathering: Gathering) throws -> [String: String] {
    guard let file = try file(gathering.source) else { return [:] }
    let key = gathering.key.columns.map(file.place)
    let order = AuditNumber("", 0...99_999) { _ in file.place(gathering.order) }
    let texts = gathering.line.map(file.place)
    var found: [String: [(order: Double, text: String)]] = [:]
    try file.scan { row in
      guard let key = row.key(key) else { return }
      found[key, default: []].append(
        (order.value(row) ?? 0, texts.compactMap(row.text).joined(separator: " ")))
    }
    return found.mapValues { lines in
      lines.sorted { $0.order < $1.order }.map(\.text).joined(separator: "\n")
    }
  }
}

extension ProblemReport {
  var usedCorrections: [Correction] { corrections.filter { $0.ending == .used }.map(\.correction) }

  /// The rows of a file that the build could not use, as far as the report names them.
  func dropped(from file: String) -> [RecordProblem] {
    examples.filter { $0.file == file && $0.kind == .rowDropped }
  }
}
