internal import ArchiveIO
internal import Core
internal import Foundation

/// The Digital Obstacle File: the daily CSV or the 56-day DOF.DAT, as a file, in the FAA's zip, or in a folder. It has 600,000 rows and
/// is read in pieces.
struct ObstacleFile {
  private static let pieceBytes = 1 << 18

  let origin: TableSource
  private let container: SourceContainer
  private let member: SourceContainer.Member
  /// Corrects the whole file, whose bytes below the header and its line they are; nil if no correction concerns it.
  private var correct: ((_ bytes: [UInt8], _ columns: [Range<Int>]?, _ line: Int) throws -> [UInt8])?
  /// `DOF.CSV`
  var name: String { member.fileName }

  init(_ source: SourceFile, _ corrections: Corrections? = nil) throws {
    let origin = TableSource(
      operation: "reading the obstacles", path: source.url.path,
      remedy: "Get the FAA's DAILY_DOF_CSV.ZIP or DOF_YYMMDD.zip again, or the DOF.CSV or DOF.DAT inside it.")
    self.origin = origin
    container = try explaining({ origin.error("the zip archive is damaged: \($0)", causes: [$0]) }) {
      try ObstacleFile.open(source)
    }
    let tables = container.members.filter { $0.fileName.lowercased().hasSuffix(".csv") }
    // Next to the whole file, the zip may hold one for each state.
    let fixed = container.members.filter { $0.fileName.lowercased() == ObstacleFile.fixedName }
    let candidates = tables.isEmpty ? fixed : tables
    guard let member = candidates.first, candidates.count == 1 else {
      throw origin.error(
        candidates.isEmpty
          ? "there is neither a CSV file nor a DOF.DAT in it"
          : "there are \(candidates.count) of \(tables.isEmpty ? "DOF.DAT" : "CSV files") in it, and one is expected"
      )
    }
    self.member = member
    let table = SourceTable.obstacles.source
    guard let corrections, corrections.concerns(table) else { return }
    correct = { bytes, columns, line in
      try corrections.correct(
        bytes, of: table, in: origin, file: member.fileName, columns: columns, line: line)
    }
  }

  private static let fixedName = "dof.dat"
  /// Whether its values have fixed columns.
  private var isFixed: Bool { member.fileName.lowercased() == ObstacleFile.fixedName }

  private static func open(_ source: SourceFile) throws -> SourceContainer {
    let name = source.name.lowercased()
    let isTable = !source.isFolder && (name.hasSuffix(".csv") || name == fixedName)
    return try isTable ? SourceContainer(file: source.url) : SourceContainer(source)
  }

  /// Scans the rows in blocks of whole lines: no value of this file is quoted, so a line end is always the end of a row.
  func scan(_ wanted: [WantedColumn], _ problems: ProblemLog, _ each: (SourceRow) throws -> Void) throws {
    let columns = isFixed ? FixedObstacleRows.columns : nil
    var scan = TableScan(
      name, of: origin, wanted, problems, columns: columns
    ) { _ in isFixed ? FixedObstacleRows.check : nil }
    var line = 1
    try forEachPiece { piece in
      try CancellationToken.current.check()
      var block = piece
      if isFixed, line == 1 { (block, line) = try FixedObstacleRows.body(of: piece, origin) }
      let end = line + block.count { $0 == .lineFeed }
      if isFixed, block.last != .lineFeed {
        let last = block[(block.lastIndex(of: .lineFeed).map { $0 + 1 } ?? block.startIndex)...]
        try FixedObstacleRows.check(lastLine: last, end, origin)
      }
      if let correct { block = try correct(Array(block), columns, line)[...] }
      try block.withUnsafeBufferPointer { try scan.read($0, firstLine: line, each) }
      line = end
    }
    if isFixed, line == 1 { throw FixedObstacleRows.noHeader(origin) }
    try scan.finish()
  }

  /// Passes the bytes to a closure in pieces of whole lines, or in one piece if they are corrected.
  private func forEachPiece(_ give: (ArraySlice<UInt8>) throws -> Void) throws {
    var rest: [UInt8] = []
    do {
      try container.read(member, inPiecesOf: ObstacleFile.pieceBytes) { piece in
        rest.append(contentsOf: piece)
        guard correct == nil else { return }
        if let end = rest.lastIndex(of: .lineFeed) {
          try give(rest[...end])
          rest.removeSubrange(...end)
        } else if rest.count > ObstacleFile.pieceBytes {
          throw origin.error("it has no line ends")
        }
      }
    } catch let error as ZipError {
      throw origin.error("it cannot be read to its end: \(error)", causes: [error])
    }
    if !rest.isEmpty { try give(rest[...]) }
  }
}
