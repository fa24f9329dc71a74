internal import Pipeline

/// A table as it lies in this cycle's file: the set of columns and their order differ by cycle.
final class OpenTable {
  /// `APT_BASE.csv`
  let file: String
  /// The FAA's names of the wanted columns.
  let columns: [String]
  /// The field of each wanted column; -1 where this cycle has no such column.
  let places: [Int]
  /// Of all columns.
  let names: [String]
  /// Of each wanted column that is a position's, where the same is in degrees, minutes and seconds.
  let angles: [AngleColumns?]
  /// How many fields each row must have.
  let width: Int
  /// Where EFF_DATE is.
  let datePlace: Int?
  private let flawPlace: Int?

  init(
    _ file: String, _ header: CSVRecord, in bytes: UnsafeBufferPointer<UInt8>, wanted: [WantedColumn],
    _ archive: any TableSource
  ) throws {
    guard !NotText.fits(bytes) else {
      throw archive.fault("\(file) cannot be read: \(NotText())", remedy: "Get it again.", causes: [])
    }
    let names = header.fields.map { CSVValue($0, in: bytes).text.uppercased() }
    var missing: [String] = []
    let angles = wanted.map { AngleColumns(beside: $0.name, in: names) }
    for (column, angle) in zip(wanted, angles)
    where !names.contains(column.name) && !column.mayLack && angle == nil {
      if !missing.contains(column.name) { missing.append(column.name) }
    }
    guard header.flaw == nil, missing.isEmpty else {
      throw archive.fault(
        "\(file) has no column \(missing.joined(separator: ", "))",
        remedy:
          "The file is damaged, or its form has changed; docs/FORMATS.md names the columns that are read.",
        causes: [])
    }
    let doubled = names.filter { name in !name.isEmpty && names.count { $0 == name } > 1 }
    guard doubled.isEmpty else {
      throw archive.fault(
        "\(file) has the column \(doubled[0]) \(doubled.count { $0 == doubled[0] }) times",
        remedy: "Which of them counts is not known: get the file again.", causes: [])
    }
    self.names = names
    self.file = file
    self.angles = angles
    columns = wanted.map(\.name)
    width = names.count
    places = columns.map { names.firstIndex(of: $0) ?? -1 }
    datePlace = names.firstIndex(of: "EFF_DATE")
    flawPlace = names.firstIndex(of: RowFlaw.column)
  }

  /// Throws where a field holds a byte of nought, which no text has. Asked only of the rows of a file that holds one somewhere.
  func checkNULs(_ record: CSVRecord, in bytes: UnsafeBufferPointer<UInt8>) throws(UnusableRow) {
    for (field, name) in zip(record.fields, names) where bytes[field.start..<field.end].contains(0) {
      throw UnusableRow(
        column: name, value: CSVValue(field, in: bytes).text.replacing("\0", with: "\\0"),
        reason: "it holds a NUL byte: the row is damaged")
    }
  }

  /// Throws where the row says of itself that it is none.
  func checkFlaw(_ record: CSVRecord, in bytes: UnsafeBufferPointer<UInt8>) throws(UnusableRow) {
    guard let flawPlace else { return }
    let value = CSVValue(record.fields[flawPlace], in: bytes)
    if !value.isEmpty { throw RowFlaw.row(value.text) }
  }

  /// Whether this cycle has a wanted column in no form.
  func isMissing(_ wanted: Int) -> Bool { places[wanted] < 0 && angles[wanted] == nil }

  func check(_ record: CSVRecord) throws(UnusableRow) {
    if let flaw = record.flaw { throw UnusableRow(column: nil, value: "", reason: flaw.rawValue) }
    guard record.fields.count == width else {
      throw UnusableRow(
        column: nil, value: "\(record.fields.count)",
        reason: "the number of fields is not the header's, \(width)")
    }
  }
}

@available(*, unavailable)
extension OpenTable: Sendable {}

/// A column that a reader asks for.
struct WantedColumn {
  let name: String
  /// Whether a cycle may lack it.
  let mayLack: Bool
}
