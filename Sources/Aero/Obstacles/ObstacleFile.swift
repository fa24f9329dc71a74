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
  /// `DOF.CSV`
  var name: String { member.fileName }

  init(_ source: SourceFile) throws {
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
  }

  private static let fixedName = "dof.dat"
  /// Whether its values have fixed columns.
  private var isFixed: Bool { member.fileName.lowercased() == ObstacleFile.fixedName }

  private static func open(_ source: SourceFile) throws -> SourceContainer {
    let name = source.name.lowercased()
    let isTable = !source.isFolder && (name.hasSuffix(".csv") || name == fixedName)
    return try isTable ? SourceContainer(file: source.url) : SourceContainer(source)
  }

  /// Passes the file to a closure in blocks of whole lines, with the number of each block's first line.
  ///
  /// No value of this file is quoted, so a line end is always the end of a row.
  func forEachBlock(_ each: (UnsafeBufferPointer<UInt8>, _ firstLine: Int) throws -> Void) throws {
    guard isFixed else {
      var line = 1
      return try forEachPiece { bytes, _ in
        try bytes.withUnsafeBufferPointer { try each($0, line) }
        line += bytes.reduce(0) { $1 == .lineFeed ? $0 + 1 : $0 }
      }
    }
    var fixed = FixedObstacleRows(origin: origin)
    try forEachPiece { bytes, isLast in
      guard let (rows, firstLine) = try fixed.rows(of: bytes, isLast: isLast) else { return }
      try rows.withUnsafeBufferPointer { try each($0, firstLine) }
    }
    try fixed.finish()
  }

  /// Passes the bytes to a closure in pieces of whole lines.
  private func forEachPiece(_ give: (ArraySlice<UInt8>, _ isLast: Bool) throws -> Void) throws {
    var rest: [UInt8] = []
    do {
      try container.read(member, inPiecesOf: ObstacleFile.pieceBytes) { piece in
        rest.append(contentsOf: piece)
        if let end = rest.lastIndex(of: .lineFeed) {
          try give(rest[...end], false)
          rest.removeSubrange(...end)
        } else if rest.count > ObstacleFile.pieceBytes {
          throw origin.error("it has no line ends")
        }
      }
    } catch let error as ZipError {
      throw origin.error("it cannot be read to its end: \(error)", causes: [error])
    }
    if !rest.isEmpty { try give(rest[...], true) }
  }
}
