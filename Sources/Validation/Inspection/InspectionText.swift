internal import Core
internal import Pipeline
internal import TileArchive

extension FileInspection {
  /// As people read it.
  public var text: String {
    let title =
      switch kind {
      case .mbtiles: patch == nil ? "tile archive (MBTiles)" : "patch of a tile archive (MBTiles)"
      case .pmtiles: "tile archive (PMTiles)"
      case .sqlite: "app database (SQLite)"
      }
    let head = ["\(file): \(title), \(Counts.bytes(bytes))", currency, way].compactMap(\.self)
    return (head + section(metadataTable) + section(zoomTable) + section(tableTable)).joined(separator: "\n")
      + "\n"
  }

  /// From when until when it is to be used, if it says so.
  private var currency: String? {
    let prefix = kind == .sqlite ? "" : "chartpipe:"
    guard let effective = metadata[prefix + "effective"], let expires = metadata[prefix + "expires"] else {
      return nil
    }
    let cycle = metadata[prefix + "cycle"].map { "Cycle \($0), in" } ?? "In"
    return "\(cycle) force from \(effective) until \(expires)"
  }

  /// What a patch does.
  private var way: String? {
    patch.map {
      "From tiles \($0.before) to \($0.after), \(Counts.of($0.removed, "tile")) to be taken away among these:"
    }
  }

  private func section(_ table: TextTable?) -> [String] {
    table.map { [""] + $0.lines } ?? []
  }

  private var metadataTable: TextTable? {
    guard !metadata.isEmpty else { return nil }
    let rows = metadata.sorted { $0.key < $1.key }.map { [$0.key, shortened($0.value)] }
    return TextTable(header: nil, rows: rows, rightAligned: [])
  }

  private var zoomTable: TextTable? {
    zooms.map { zooms in
      TextTable(
        header: ["zoom", "tiles", "size", "columns", "rows"],
        rows: zooms.map {
          [
            "\($0.zoom)", Counts.grouped($0.tiles), Counts.bytes($0.bytes), "\($0.columns.text)",
            "\($0.rows.text)",
          ]
        }, rightAligned: [0, 1, 2])
    }
  }

  private var tableTable: TextTable? {
    tables.map { tables in
      TextTable(
        header: ["table", "rows"], rows: tables.map { [$0.name, Counts.grouped($0.rows)] }, rightAligned: [1])
    }
  }

  /// A neatline has thousands of characters that nobody reads.
  private func shortened(_ value: String) -> String {
    let line = value.replacing("\n", with: " ")
    return line.count > 80 ? "\(line.prefix(60))... (\(Counts.grouped(value.count)) characters)" : line
  }
}

extension ZoomSummary.Span {
  fileprivate var text: String { first == last ? "\(first)" : "\(first)-\(last)" }
}

/// Rows in columns of equal width.
private struct TextTable {
  let header: [String]?
  let rows: [[String]]
  let rightAligned: Set<Int>

  var lines: [String] {
    let all = (header.map { [$0] } ?? []) + rows
    let widths = (0..<(all.first?.count ?? 0)).map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { row in
      let cells = row.enumerated().map { column, cell in
        let blanks = String(repeating: " ", count: widths[column] - cell.count)
        return rightAligned.contains(column) ? blanks + cell : cell + blanks
      }
      let line = cells.joined(separator: "  ")
      return "  " + String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}
