internal import ArchiveIO
internal import Core
internal import Fetch
internal import SQLiteIO

/// Fills the table of obstacles.
struct ObstacleLoader {
  let file: ObstacleFile
  let writer: DatabaseWriter
  let problems: ProblemLog

  /// How many rows it wrote, and how many it left out because they say that the obstacle was taken down.
  func load() throws -> (rows: Int, dismantled: Int) {
    let table = SourceTable.obstacles
    let action = WantedColumn(name: "ACTION", mayLack: true)
    let columns = table.wanted
    var scan = BlockScan(file.name, of: file, columns + [action], problems)
    return try writer.stream(into: [table.schema], of: file.name, problems) { stream in
      var row = FieldWriter(table, stream, AirportDirectory([], problems: problems), RowNumbers())
      var dismantled = 0
      try file.forEachBlock { bytes, firstLine in
        try CancellationToken.current.check()
        try scan.read(bytes, firstLine: firstLine) { source in
          if ObstacleCodes.isDismantled(source, columns.count) {
            dismantled += 1
          } else {
            try row.write(source)
          }
        }
      }
      try scan.finish()
      return (try row.finish(), dismantled)
    }
  }
}

extension ObstacleFile {
  /// How many rows have a value in a column.
  func values(of column: String) throws -> Int {
    var count = 0
    var scan = BlockScan(name, of: self, [WantedColumn(name: column, mayLack: true)], ProblemLog())
    try forEachBlock { bytes, firstLine in
      try scan.read(bytes, firstLine: firstLine) { if !$0.value(0).isEmpty { count += 1 } }
    }
    return count
  }
}
