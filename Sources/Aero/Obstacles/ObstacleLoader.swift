internal import Fetch
internal import SQLiteIO
internal import ZipIO

extension SourceTableLoader {
  /// Fills the table of obstacles; how many rows it wrote, and how many it left out because they say that the obstacle was
  /// taken down.
  func load(_ file: ObstacleFile) throws -> (rows: Int, dismantled: Int) {
    let table = SourceTable.obstacles
    let action = WantedColumn(name: "ACTION", mayLack: true)
    let columns = table.wanted
    var scan = BlockScan(file.name, of: file, columns + [action], reader.problems)
    return try writer.stream(into: [table.schema], of: file.name, reader.problems) { stream in
      var row = FieldWriter(table, stream, directory, rows)
      var dismantled = 0
      try file.forEachBlock { bytes, firstLine in
        try Task.checkCancellation()
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
