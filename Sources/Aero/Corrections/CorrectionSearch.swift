/// Searches the rows of a table for the row of one correction.
struct CorrectionSearch {
  /// A replacement of bytes in the file.
  struct Edit {
    let start: Int
    let end: Int
    let bytes: [UInt8]

    /// - Parameter start: the place of the bytes in the file.
    static func apply(_ edits: [Edit], to bytes: consuming [UInt8], from start: Int = 0) -> [UInt8] {
      // From the end on, so that the places of earlier edits stay right.
      for edit in edits.sorted(by: { $0.start > $1.start }) {
        bytes.replaceSubrange(edit.start - start..<edit.end - start, with: edit.bytes)
      }
      return bytes
    }
  }

  let correction: Correction
  private let keys: [(column: CorrectionColumn, value: String)]
  private let column: CorrectionColumn
  /// The columns of a file without commas, in which a value must have the width of its column.
  private let widths: [Range<Int>]?
  private var rows = 0
  /// Whether another row has the right value, which no two obstacles may share.
  private(set) var isTaken = false
  /// The line of the first row that fits, and its bytes.
  private var firstLine = 0
  private(set) var firstRow = 0..<0
  private var found = ""
  private var (isWrong, isRight) = (false, false)
  private var firstEdits: [Edit] = []

  /// - Parameter columns: those of the correction, in its order.
  init(_ correction: Correction, columns: [CorrectionColumn], widths: [Range<Int>]?) {
    self.correction = correction
    self.widths = widths
    let values = correction.row.sorted { $0.key < $1.key }.map { $0.value }
    keys = Array(zip(columns, values))
    column = columns[values.count]
  }

  var outcome: CorrectionOutcome {
    CorrectionOutcome(correction, rows: rows, isWrong: isWrong, isRight: isRight, found: found)
  }

  /// The line in which the value is corrected; nil if it is not.
  var correctedLine: Int? { outcome.ending == .used ? firstLine : nil }

  var edits: [Edit] { rows == 1 ? firstEdits : [] }

  /// Whether another correction changes the same field, which rows of other columns may name.
  func overlaps(_ other: CorrectionSearch) -> Bool {
    correction != other.correction && !Set(edits.map(\.end)).isDisjoint(with: other.edits.map(\.end))
  }

  /// The row without the correction and with it, in both with the corrections of its other columns.
  func rows(among searches: [CorrectionSearch], in bytes: [UInt8]) -> [[UInt8]] {
    let others = searches.filter { $0.firstRow == firstRow && $0.correction != correction }.flatMap(\.edits)
    return [others, others + edits].map {
      Edit.apply($0, to: Array(bytes[firstRow]), from: firstRow.lowerBound)
    }
  }

  /// Why the column cannot hold the right value; nil if it can.
  var flaw: String? { column.flaw(of: correction.right, in: widths) }

  mutating func visit(_ record: CSVRecord, in bytes: UnsafeBufferPointer<UInt8>) {
    if correction.column == "OAS", column.equals(correction.right, in: record, of: bytes) { isTaken = true }
    for key in keys where !key.column.equals(key.value, in: record, of: bytes) { return }
    rows += 1
    guard rows == 1 else { return }
    firstLine = record.line
    firstRow = record.range(in: bytes)
    isWrong = column.equals(correction.faa, in: record, of: bytes)
    isRight = column.equals(correction.right, in: record, of: bytes)
    found = column.text(of: record, in: bytes)
    guard isWrong else { return }
    firstEdits = column.fields(for: correction.right, in: record, of: bytes).map { place, text in
      let field = record.fields[place]
      return Edit(start: field.start, end: field.end, bytes: written(text, into: field, of: bytes))
    }
  }

  /// The bytes of a text in a field: inside the existing quotes, or in new quotes if it needs them.
  private func written(
    _ text: String, into field: CSVField, of bytes: UnsafeBufferPointer<UInt8>
  ) -> [UInt8] {
    if widths != nil {
      return text.utf8 + Array(repeating: 0x20, count: max(0, field.end - field.start - text.utf8.count))
    }
    let isQuoted = field.start > 0 && bytes[field.start - 1] == .quote
    let needsQuotes = text.utf8.contains { $0 == .quote || $0 == .comma }
    let inside = text.utf8.flatMap { $0 == .quote ? [.quote, .quote] : [$0] }
    return isQuoted || !needsQuotes ? inside : [.quote] + inside + [.quote]
  }
}

/// A column of a correction in this cycle's file.
///
/// If the file has a latitude or longitude only as degrees, minutes and seconds, those are compared and corrected.
struct CorrectionColumn {
  /// The field of the column; nil if the cycle has only the degrees, minutes and seconds.
  private let place: Int?
  private let angles: AngleColumns?

  /// Nil if the header has the column in neither form.
  init?(_ name: String, in header: [String]) {
    place = header.firstIndex(of: name)
    angles = AngleColumns(beside: name, in: header)
    if place == nil && angles == nil { return nil }
  }

  /// Why the column cannot hold a value; nil if it can.
  func flaw(of value: String, in widths: [Range<Int>]?) -> String? {
    if let angles { return angles.fields(for: value) == nil ? "is no position in degrees" : nil }
    let isTooLong = place.flatMap { widths?[$0].count }.map { value.utf8.count > $0 } ?? false
    return isTooLong ? "is longer than the column" : nil
  }

  /// The text of the field, or of the degrees, minutes and seconds if it is empty or missing.
  func text(of record: CSVRecord, in bytes: UnsafeBufferPointer<UInt8>) -> String {
    let value = place.map { CSVValue(record.fields[$0], in: bytes).text } ?? ""
    return value.isEmpty ? angles?.text { CSVValue(record.fields[$0], in: bytes) } ?? "" : value
  }

  func equals(_ wanted: String, in record: CSVRecord, of bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let angles = anglesInUse(record, bytes) else {
      return place.map { CSVValue(record.fields[$0], in: bytes).matches(wanted) } ?? wanted.isEmpty
    }
    return angles.degrees { CSVValue(record.fields[$0], in: bytes) } == Double(wanted)
  }

  /// The fields that a value goes into, and the text of each.
  func fields(for value: String, in record: CSVRecord, of bytes: UnsafeBufferPointer<UInt8>) -> [(
    place: Int, text: String
  )] {
    if let angles = place == nil ? angles : anglesInUse(record, bytes) {
      return angles.fields(for: value) ?? []
    }
    return place.map { [($0, value)] } ?? []
  }

  /// The degrees, minutes and seconds, if they have values and the field itself has none.
  private func anglesInUse(_ record: CSVRecord, _ bytes: UnsafeBufferPointer<UInt8>) -> AngleColumns? {
    if let place, !CSVValue(record.fields[place], in: bytes).isEmpty { return nil }
    guard let angles, !angles.text({ CSVValue(record.fields[$0], in: bytes) }).isEmpty else { return nil }
    return angles
  }
}
