internal import Core
internal import Foundation

/// The FAA's file of coded instrument flight procedures, FAACIFP18: records of 132 columns by their kinds.
struct CIFPFile {
  static let name = "FAACIFP18"
  /// The national file has 53 MB.
  private static let mostBytes = 256 << 20

  let origin: TableSource
  let bytes: [UInt8]
  /// The primary records of each kind in the order of the file.
  private(set) var records: [CIFPRecord.Kind: [CIFPRecord]] = [:]
  /// The lines of the header.
  private(set) var header: [Range<Int>] = []
  private var lines: [Range<Int>] = []
  /// How many records no table has, since their kind or the application of a continuation is not known.
  private(set) var unknown = 0
  /// `IN_CIFP.txt`; nil if the source has none.
  let coverage: [UInt8]?

  init(_ source: SourceFile, _ problems: ProblemLog) throws {
    let origin = TableSource(
      operation: "reading the coded procedures", path: source.url.path,
      remedy: "Get the FAA's CIFP_YYMMDD.zip of this cycle again, or the FAACIFP18 that it holds.")
    self.origin = origin
    (bytes, coverage) = try explaining({
      $0 as? UserError ?? origin.error("it cannot be read: \($0)", causes: [$0])
    }) {
      try CIFPFile.content(source, origin)
    }
    guard
      !NotText.isStart(of: bytes.withUnsafeBufferPointer { UnsafeBufferPointer(rebasing: $0.prefix(200)) })
    else { throw origin.error("\(CIFPFile.name) cannot be read: \(NotText())") }
    try divide(problems)
    reportLonely(problems)
    guard !records.isEmpty else {
      throw origin.error("\(CIFPFile.name) has no record of 132 columns that is known")
    }
  }

  private static func content(_ source: SourceFile, _ origin: TableSource) throws -> ([UInt8], [UInt8]?) {
    let isBare = !source.isFolder && !source.name.lowercased().hasSuffix(".zip")
    let container = try isBare ? SourceContainer(file: source.url) : SourceContainer(source)
    let files = container.members.filter { isBare || $0.fileName.uppercased() == name }
    guard let file = files.first, files.count == 1 else {
      throw origin.error(
        files.isEmpty ? "there is no \(name) in it" : "there are \(files.count) \(name) in it")
    }
    let coverage = try container.members.first { $0.fileName.uppercased() == "IN_CIFP.TXT" }.map {
      try container.read($0, limit: mostBytes)
    }
    return (try container.read(file, limit: mostBytes), coverage)
  }

  /// Finds the lines, and groups the records.
  private mutating func divide(_ problems: ProblemLog) throws {
    let all = bytes
    try all.withUnsafeBufferPointer { all in
      var (at, number) = (0, 0)
      var last: (kind: CIFPRecord.Kind, start: Int)?
      while at < all.count {
        var line = at..<(all[at...].firstIndex(of: .lineFeed) ?? all.count)
        at = line.upperBound + 1
        number += 1
        if number % 65_536 == 0 { try CancellationToken.current.check() }
        if line.count > 0, all[line.upperBound - 1] == .carriageReturn { line.removeLast() }
        if line.isEmpty { continue }
        lines.append(line)
        let bytes = UnsafeBufferPointer(rebasing: all[line])
        if bytes.starts(with: "HDR".utf8) {
          header.append(line)
        } else if let flaw = CIFPFile.flaw(of: bytes) {
          problems.drop(flaw, CIFPFile.name, line: number)
          last = nil
        } else {
          add(bytes, CIFPRecord(line: number, start: line.lowerBound), in: all, &last, problems)
        }
      }
    }
    problems.read(rows: lines.count - header.count, of: CIFPFile.name)
  }

  private static func flaw(of line: UnsafeBufferPointer<UInt8>) -> UnusableRow? {
    if line.count != CIFPRecord.width {
      return UnusableRow(reason: "it has \(line.count) columns, and a record has \(CIFPRecord.width)")
    }
    return line.allSatisfy { $0 >= 0x20 }
      ? nil : UnusableRow(reason: "it holds a control character: it is damaged")
  }

  /// Adds a record, or a continuation to the record before it. The number of the continuation decides what the other columns mean.
  private mutating func add(
    _ line: UnsafeBufferPointer<UInt8>, _ record: CIFPRecord, in all: UnsafeBufferPointer<UInt8>,
    _ last: inout (kind: CIFPRecord.Kind, start: Int)?, _ problems: ProblemLog
  ) {
    let kind = CIFPRecord.Kind(line)
    guard CIFPLayout.isKnown(kind) else {
      return leaveOut(kind.description, record, "the kind is not known", problems)
    }
    let column = CIFPRecord.continuationColumn[kind] ?? CIFPRecord.keyWidth
    let isSame =
      last.map { $0.kind == kind && all[$0.start..<$0.start + column].elementsEqual(line[..<column]) }
      ?? false
    let index = (records[kind]?.count ?? 0) - 1
    guard CIFPRecord.continuationColumn[kind] != nil, line[column] > UInt8(ascii: "1") else {
      guard !isSame else {
        return problems.record(
          .rowRepeated, file: CIFPFile.name, line: record.line, column: nil, value: "",
          reason: "the record before it has the same name")
      }
      records[kind, default: []].append(record)
      last = (kind, record.start)
      return
    }
    guard line[column + 1] == CIFPRecord.applications[kind] else {
      let application = String(decoding: [line[column + 1]], as: UTF8.self)
      return leaveOut(
        "\(kind) \(application)", record, "the application of the continuation is not known", problems)
    }
    guard isSame, records[kind]?[index].continuation == nil else {
      return problems.drop(
        UnusableRow(reason: "it is a continuation, and the record that it continues is not before it"),
        CIFPFile.name, line: record.line)
    }
    records[kind]?[index].continuation = record.start
  }

  /// Records that say that a continuation follows, and have none.
  private func reportLonely(_ problems: ProblemLog) {
    for kind in records.keys.sorted(by: { $0.description < $1.description }) {
      guard let column = CIFPRecord.continuationColumn[kind] else { continue }
      for record in records[kind] ?? []
      where record.continuation == nil && bytes[record.start + column] == UInt8(ascii: "1") {
        problems.record(
          .contradiction, file: CIFPFile.name, line: record.line, column: "CONTINUED", value: "1",
          reason: "no continuation follows it")
      }
    }
  }

  /// How many records have a value in a column. Those that the program adds count as if all had one.
  func values(of column: String) -> Int {
    var row = CIFPRow(self)
    var (count, hasColumn) = (0, false)
    for (kind, records) in records {
      let layout = CIFPLayout.layout(of: kind)
      guard let place = layout.names.firstIndex(of: column).map({ layout.places[$0] }) else { continue }
      hasColumn = true
      count += records.count { record in
        row.take(record, of: kind)
        return place.upperBound > CIFPRow.added || row.bytes[place].contains { $0 != 0x20 }
      }
    }
    return hasColumn ? count : lines.count
  }

  private mutating func leaveOut(
    _ value: String, _ record: CIFPRecord, _ reason: String, _ problems: ProblemLog
  ) {
    unknown += 1
    problems.record(
      .unknownCode, file: CIFPFile.name, line: record.line, column: "SECTION", value: value, reason: reason)
  }
}

extension CIFPFile {
  /// Throws one error that names all that is wrong with the header, or with the file as it describes it. Returns warnings.
  ///
  /// - Parameters:
  ///   - isPart: whether the file is a part of the FAA's, which may lack the header and does not have its number of records.
  ///   - reportsChecksum: whether a wrong checksum is a warning only.
  func check(_ cycle: AiracCycle, isPart: Bool, reportsChecksum: Bool) throws -> [String] {
    guard let first = header.first,
      let stated = CIFPHeader(header.map { String(decoding: bytes[$0], as: UTF8.self) })
    else {
      guard isPart, header.isEmpty else {
        throw origin.error("\(CIFPFile.name) has no header HDR01 that can be read")
      }
      return ["\(CIFPFile.name) has no header, so it is not known to be of cycle \(cycle.identifier)"]
    }
    var (problems, warnings) = (stated.problems(in: cycle), [String]())
    if !isPart {
      let count = lines.count - header.count
      if stated.records != count {
        problems.append(
          "it has \(Counts.grouped(count)) records, and its header says \(Counts.grouped(stated.records))")
      }
      if let wrong = wrongChecksum(stated.checksum, first) {
        if reportsChecksum { warnings.append("\(CIFPFile.name): \(wrong)") } else { problems.append(wrong) }
      }
    }
    guard problems.isEmpty else {
      let isOther = problems.allSatisfy { $0.contains(" cycle ") }
      throw origin.error(
        "\(CIFPFile.name): \(problems.joined(separator: "; "))",
        suggestion: isOther
          ? "Get the file of this cycle, or name the cycle that it is of with --cycle." : nil)
    }
    return warnings
  }

  private func wrongChecksum(_ stated: String, _ first: Range<Int>) -> String? {
    let wanted = stated.count == 8 ? UInt32(stated, radix: 16) : nil
    var found: UInt32?
    for form in CIFPChecksum.Form.all {
      let value = bytes.withUnsafeBytes { CIFPChecksum.of(lines, in: $0, form) }
      if value == wanted { return nil }
      found = found ?? value
    }
    let text = String(found ?? 0, radix: 16, uppercase: true)
    return
      "its checksum is \(String(repeating: "0", count: 8 - text.count))\(text), and its header says \(stated)"
  }
}

/// The header of FAACIFP18. The day in its first line is that on which the file was made.
struct CIFPHeader {
  let name: String
  let width: String
  let records: Int
  let cycle: String
  let created: String
  let checksum: String
  /// `2609`, and `2026-09-03`.
  let volume: String?
  let effective: CalendarDay?

  init?(_ lines: [String]) {
    func column(_ line: String, _ columns: ClosedRange<Int>) -> String {
      String(line.dropFirst(columns.lowerBound - 1).prefix(columns.count)).trimmingCharacters(
        in: .whitespaces)
    }
    guard let first = lines.first, first.hasPrefix("HDR01"), let count = Int(column(first, 29...35)) else {
      return nil
    }
    (name, width, records) = (column(first, 6...20), column(first, 25...28), count)
    (cycle, created, checksum) = (column(first, 36...39), column(first, 42...60), column(first, 125...132))
    let fourth = lines.first { $0.hasPrefix("HDR04") } ?? ""
    let found = fourth.firstMatch(
      of: /VOLUME +([0-9]{4}) +EFFECTIVE +([0-9]{1,2}) +([A-Z]{3})[A-Z]* +([0-9]{4})/)
    volume = found.map { String($0.1) }
    effective = found.flatMap { CalendarDay($0.2, $0.3, $0.4) }
  }

  func problems(in cycle: AiracCycle) -> [String] {
    var problems: [String] = []
    if name != CIFPFile.name { problems.append("its header calls it \"\(name)\"") }
    if width != "0132" { problems.append("its header says records of \(width) columns, and they have 132") }
    if self.cycle != cycle.identifier {
      problems.append("it is of cycle \(self.cycle), not of cycle \(cycle.identifier)")
    }
    if volume != cycle.identifier || effective != cycle.effectiveDay {
      let stated =
        volume.map { "volume \($0), effective \(effective?.description ?? "on no day")" } ?? "no volume"
      problems.append("HDR04 states \(stated); cycle \(cycle.identifier) is effective \(cycle.effectiveDay)")
    }
    return problems
  }
}
