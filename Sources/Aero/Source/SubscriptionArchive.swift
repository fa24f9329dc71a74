internal import ArchiveIO
internal import Core
internal import Foundation

/// The CSV tables of one cycle: the subscription zip as the FAA ships it, the CSV zip inside it, or a folder with the contents of
/// either.
///
/// Each table is inflated into memory when it is read; nothing is unpacked to disk.
struct SubscriptionArchive {
  let origin: TableSource
  /// All members of the subscription, or only the tables if the source is the CSV zip.
  let container: SourceContainer
  private let tables: SourceContainer
  /// Corrects the bytes of a table.
  var correct: ((_ bytes: consuming [UInt8], _ table: String) throws -> [UInt8])?

  init(_ source: SourceFile, cycle: AiracCycle) throws {
    origin = TableSource(
      operation: "reading the NASR subscription", path: source.url.path,
      remedy: "Get the subscription again from the FAA.")
    container = try SubscriptionArchive.open(source, origin)
    let isWhole = container.members.contains(where: \.isArchiveOfTables)
    tables = isWhole ? try SubscriptionArchive.checkedTables(in: container, origin, cycle) : container
    guard tables.members.contains(where: \.isTable) else {
      let isDelta = tables.members.contains(where: \.isChangeReport)
      throw SubscriptionArchive.withoutTables(origin, isDelta: isDelta)
    }
  }

  /// Whether the cycle has a table of this name.
  func has(_ table: String) -> Bool {
    let name = "\(table).csv".lowercased()
    return tables.members.contains { $0.fileName.lowercased() == name }
  }

  /// The tables of the cycle, without their endings, in alphabetical order.
  var tableNames: [String] {
    tables.members.filter(\.isTable).map { String($0.fileName.dropLast(4)) }.sorted()
  }

  /// The bytes of a table's CSV file, corrected.
  func read(_ table: String) throws -> [UInt8] {
    let bytes = try readUncorrected(table)
    return try correct?(bytes, table) ?? bytes
  }

  /// The first bytes of a table's CSV file without corrections, enough for its header and some rows.
  func start(of table: String) throws -> [UInt8] {
    struct Enough: Error { let bytes: [UInt8] }
    let member = try member(of: table)
    do {
      try tables.read(member, inPiecesOf: SubscriptionArchive.startBytes) { throw Enough(bytes: [UInt8]($0)) }
      return []
    } catch let enough as Enough {
      return enough.bytes
    } catch {
      throw unreadable(table, error)
    }
  }

  private static let startBytes = 1 << 16
  /// The largest of the FAA's tables has some 20 MB, the archive of all of them 22 MB.
  static let mostTableBytes = 1 << 27
  static let mostArchiveBytes = 1 << 27

  func missing(_ table: String) -> UserError {
    origin.error(
      "the table \(table).csv is missing",
      suggestion: "The subscription is not whole, or its form has changed: get it again from the FAA.")
  }

  func empty(_ table: String) -> UserError {
    origin.error("the table \(table).csv is empty")
  }

  private func unreadable(_ table: String, _ error: any Error) -> UserError {
    origin.error("the table \(table).csv cannot be read: \(error)", causes: [error])
  }

  private func member(of table: String) throws -> SourceContainer.Member {
    let name = "\(table).csv".lowercased()
    let matches = tables.members.filter { $0.fileName.lowercased() == name }
    guard let member = matches.first else { throw missing(table) }
    guard matches.count == 1 else {
      throw origin.error(
        "the table \(table).csv is there \(matches.count) times: \(matches.map(\.name).joined(separator: ", "))"
      )
    }
    return member
  }

  private func readUncorrected(_ table: String) throws -> [UInt8] {
    let member = try member(of: table)
    return try explaining({ unreadable(table, $0) }) {
      let bytes = try tables.read(member, limit: SubscriptionArchive.mostTableBytes)
      guard !NotText.isStart(of: bytes) else { throw NotText() }
      return bytes
    }
  }

  private static func open(_ source: SourceFile, _ origin: TableSource) throws -> SourceContainer {
    do {
      return try SourceContainer(source)
    } catch {
      let start = (try? FileHandle(forReadingFrom: source.url).read(upToCount: 4)) ?? Data()
      // An archive without members has the end of its directory alone.
      if start.isEmpty || start == Data([0x50, 0x4B, 0x05, 0x06]) {
        throw origin.error(
          start.isEmpty ? "the file is empty" : "the zip archive is empty",
          suggestion: "Get it again from the FAA.", causes: [error])
      }
      guard start == Data([0x50, 0x4B, 0x03, 0x04]) else {
        throw origin.error(
          "it is not a zip archive",
          suggestion:
            "Give the FAA's 28DaySubscription_Effective_YYYY-MM-DD.zip, or the DD_Mon_YYYY_CSV.zip inside it.",
          causes: [error])
      }
      throw origin.error(
        "the zip archive is \(isRefusal(error) ? "refused" : "cut short or damaged"): \(error)",
        suggestion: suggestion(error), causes: [error])
    }
  }

  /// The archive of tables in a whole subscription. If the README is of another cycle, so is usually the archive's name: the error
  /// reports both.
  private static func checkedTables(
    in container: SourceContainer, _ origin: TableSource, _ cycle: AiracCycle
  ) throws -> SourceContainer {
    var errors: [UserError] = []
    try errors.collect { try checkReadme(of: container, origin, cycle) }
    do {
      let tables = try openTables(in: container, origin, cycle)
      if errors.isEmpty { return tables }
    } catch let error as UserError {
      errors.append(error)
    }
    throw UserError.joining(errors) ?? errors[0]
  }

  /// Whether an archive is intact but has properties that no archive of the FAA has.
  private static func isRefusal(_ error: any Error) -> Bool {
    switch error as? ZipError {
    case .tooLarge, .tooCompressed, .tooLargeTogether, .tooManyMembers, .overlapping, .unsafeName: true
    default: false
    }
  }

  private static func suggestion(_ error: any Error) -> String {
    isRefusal(error)
      ? "Look at that member: no table of the FAA is like this. Only where the FAA's own file differs does getting it again help."
      : "Get it again from the FAA."
  }

  /// The first line reads `AIS subscriber files effective date April 20, 2023.`
  private static func checkReadme(
    of archive: SourceContainer, _ origin: TableSource, _ cycle: AiracCycle
  ) throws {
    guard let readme = archive.members.first(where: { $0.name.lowercased() == "readme.txt" }) else { return }
    let bytes = try explaining({
      origin.error(
        "its README.txt cannot be read: \($0)", suggestion: "Get it again from the FAA.", causes: [$0])
    }) { try archive.read(readme, limit: SubscriptionArchive.startBytes) }
    let line = String(decoding: bytes.prefix { $0 != .lineFeed && $0 != .carriageReturn }, as: UTF8.self)
    let day = EffectiveDates.longForm(cycle.effectiveDay)
    guard line.contains("effective date"), !line.contains(day) else { return }
    throw origin.error(
      "its README.txt says \"\(line)\", the cycle \(cycle.dated) is effective \(day)", suggestion: otherCycle)
  }

  private static func openTables(
    in archive: SourceContainer, _ origin: TableSource, _ cycle: AiracCycle
  ) throws -> SourceContainer {
    let whole = archive.members.filter { $0.isArchiveOfTables && !$0.fileName.contains("-") }
    let wanted = "\(cycle.effectiveDay.dayNameYear)_CSV.zip"
    guard let member = whole.first(where: { $0.fileName.lowercased() == wanted.lowercased() }) else {
      if let other = whole.first {
        throw origin.error(
          "it holds \(other.fileName), the cycle \(cycle.dated) needs \(wanted)", suggestion: otherCycle)
      }
      throw withoutTables(origin, isDelta: true)
    }
    let copies = whole.filter { $0.fileName.lowercased() == wanted.lowercased() }
    guard copies.count == 1 else {
      throw origin.error(
        "\(wanted) is in it \(copies.count) times: \(copies.map(\.name).joined(separator: ", "))")
    }
    return try explaining({ error in
      origin.error(
        "the archive \(member.name) in it is \(isRefusal(error) ? "refused" : "damaged"): \(error)",
        suggestion: suggestion(error), causes: [error])
    }) { try archive.container(member, limit: mostArchiveBytes) }
  }

  private static func withoutTables(_ origin: TableSource, isDelta: Bool) -> UserError {
    isDelta
      ? origin.error(
        "it holds the report of changes since the last cycle, and not the tables",
        suggestion: "Give the CSV zip with one date in its name (DD_Mon_YYYY_CSV.zip), not the one with two.")
      : origin.error(
        "there are no NASR tables in it",
        suggestion:
          "Give the FAA's 28DaySubscription_Effective_YYYY-MM-DD.zip, or the DD_Mon_YYYY_CSV.zip inside it.")
  }

  /// The suggestion for the subscription of another cycle.
  static let otherCycle = "Give the subscription of this cycle, or name the cycle that it is of with --cycle."
}

/// What an error about a source of tables says of it.
struct TableSource: Sendable {
  let operation: String
  let path: String
  /// What the user can do about most errors.
  let remedy: String

  func error(_ problem: String, suggestion: String? = nil, causes: [any Error] = []) -> UserError {
    UserError(
      .badInput, operation: operation, path: path, reason: problem, suggestion: suggestion ?? remedy,
      causes: causes)
  }

  /// Throws if a file ends without a line end in an incomplete row: all rows after it are missing too.
  func checkEnd(of file: String, lastByte: UInt8?, brokenRow line: Int?) throws {
    // Bytes below a blank are line ends, and the end mark of old systems.
    guard let line, let lastByte, lastByte >= 0x20 else { return }
    throw error(
      "\(file) ends in the middle of line \(line): the file was cut short", suggestion: "Get it again.")
  }
}

extension SourceContainer.Member {
  /// The archive of all tables, or with two dates in its name of the changes since the last cycle.
  fileprivate var isArchiveOfTables: Bool { fileName.lowercased().hasSuffix("_csv.zip") }
  fileprivate var isChangeReport: Bool { fileName.lowercased().hasSuffix("_chg_rpt.csv") }
  fileprivate var isTable: Bool { fileName.lowercased().hasSuffix(".csv") && !isChangeReport }
}

struct NotText: Error, CustomStringConvertible {
  let description = "it is no text in UTF-8 or Latin-1; was it saved as UTF-16?"

  /// Whether the first bytes are no text: no supported encoding uses a NUL byte.
  static func isStart(of bytes: some Collection<UInt8>) -> Bool { bytes.prefix(256).contains(0) }

  /// Whether there is a NUL byte anywhere. Searching a whole table takes a few milliseconds.
  static func containsNUL(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
  }
}
