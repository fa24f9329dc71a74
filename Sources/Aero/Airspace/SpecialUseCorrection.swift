internal import SQLiteIO

/// Corrects the values of special-use airspace in its AIXM.
extension SpecialUseFile {
  /// The rows for corrections: the volumes of airspaces, and the airspaces. `upperLimit uom` is an attribute of the element `upperLimit`.
  static let correctable: [(table: String, columns: [String])] = [
    (
      "AirspaceVolume",
      [
        "designator", "name", "operationSequence", "lowerLimit", "lowerLimit uom", "lowerLimitReference",
        "upperLimit", "upperLimit uom", "upperLimitReference",
      ]
    ),
    ("Airspace", ["designator", "name", "suaType", "administrativeArea", "city"]),
  ]

  /// The rows that corrections change, by table and by the rows that they replace.
  ///
  /// - Parameter files: the airspaces of each file. Other files have copies of them.
  static func changes(
    in files: [(name: String, areas: [AIXMElement])], _ correct: RowCorrector
  ) throws -> [String: RowChanges] {
    var changes: [String: RowChanges] = [:]
    for (table, columns) in correctable {
      var rows = CorrectableRows(name: table, file: SpecialUseDirectory.file, columns: columns) { texts in
        guard table == "AirspaceVolume", let volume = try? AIXMElement("", [:], line: 0, in: nil) else {
          return texts.map(SQLiteValue.text)
        }
        for (column, text) in zip(columns, texts) { volume.set(text, in: column) }
        return ["lowerLimit", "upperLimit"].map { name in SQLiteValue((try? volume.limit(name))?.text) }
          + [.text(texts[2])]
      }
      for file in files {
        for area in file.areas {
          rows.rows += area.rows(of: table, columns).map {
            ($0.texts, "line \(area.line) of \(file.name)")
          }
        }
      }
      changes[table] = try correct(rows)
    }
    return changes
  }
}

extension AIXMElement {
  /// Replaces the rows of an airspace that corrections change.
  func correct(_ changes: [String: RowChanges]) {
    for (table, columns) in SpecialUseFile.correctable {
      for (owner, texts) in rows(of: table, columns) {
        for (column, (old, new)) in zip(columns, zip(texts, changes[table]?[texts] ?? texts)) where old != new
        {
          owner.set(new, in: column)
        }
      }
    }
  }

  /// The rows of an airspace, each with the element that has its own values.
  fileprivate func rows(of table: String, _ columns: [String]) -> [(owner: AIXMElement, texts: [String])] {
    let slice = first("AirspaceTimeSlice") ?? self
    let owners = table == "Airspace" ? [slice] : slice.all("AirspaceGeometryComponent")
    return owners.map { owner in
      (owner, columns.map { (["designator", "name"].contains($0) ? slice : owner).value(of: $0) })
    }
  }

  private func value(of column: String) -> String {
    let words = column.split(separator: " ").map(String.init)
    let element = self[words[0]] ?? first(words[0])
    return (words.count == 1 ? element?.text : element?.attributes[words[1]]?.trimmed) ?? ""
  }

  /// Sets the value of a column. The FAA leaves out elements without a value.
  func set(_ value: String, in column: String) {
    let words = column.split(separator: " ").map(String.init)
    let owner = first("AirspaceVolume") ?? self
    guard let element = owner[words[0]] ?? first(words[0]) else {
      guard let element = try? AIXMElement(words[0], [:], line: line, in: owner) else { return }
      owner.add(element)
      return set(value, in: column)
    }
    if words.count == 1 { element.characters = value } else { element.attributes[words[1]] = value }
  }
}
