internal import Pipeline

/// Looks for the row of one correction while a table goes by.
struct CorrectionSearch {
  /// What to put where in the file.
  struct Edit {
    let start: Int
    let end: Int
    let bytes: [UInt8]
  }

  private let correction: Correction
  private let keys: [(column: CorrectionColumn, value: WantedValue)]
  private let column: CorrectionColumn
  private let faa: WantedValue
  private let right: WantedValue
  private var rows = 0
  private var found: String?
  private var firstEnding = CorrectionOutcome.Ending.unused
  private var firstEdits: [Edit] = []

  /// - Parameter columns: those of the correction, in its order.
  init(_ correction: Correction, columns: [CorrectionColumn]) {
    self.correction = correction
    let values = correction.row.sorted { $0.key < $1.key }.map { WantedValue($0.value) }
    keys = Array(zip(columns, values))
    column = columns[values.count]
    faa = WantedValue(correction.faa)
    right = WantedValue(correction.right)
  }

  var outcome: CorrectionOutcome {
    guard rows <= 1 else { return CorrectionOutcome(correction: correction, ending: .ambiguous, rows: rows) }
    return CorrectionOutcome(correction: correction, ending: firstEnding, found: found)
  }

  var edits: [Edit] { rows == 1 ? firstEdits : [] }

  /// Whether the right value can be written where it belongs.
  var canBeWritten: Bool { column.canHold(right) }

  mutating func visit(_ record: CSVRecord, in bytes: UnsafeBufferPointer<UInt8>) {
    for key in keys where !key.column.equals(key.value, in: record, of: bytes) { return }
    rows += 1
    guard rows == 1 else { return }
    if column.equals(faa, in: record, of: bytes) {
      firstEnding = .used
      firstEdits = column.fields(for: right, in: record, of: bytes).map { place, text in
        let field = record.fields[place]
        return Edit(start: field.start, end: field.end, bytes: written(text, into: field, of: bytes))
      }
    } else if column.equals(right, in: record, of: bytes) {
      firstEnding = .alreadyRight
    } else {
      firstEnding = .overtaken
      found = column.text(of: record, in: bytes)
    }
  }

  /// A text as the field needs it: within the quotes that there are, or within its own where it needs them.
  private func written(
    _ text: String, into field: CSVField, of bytes: UnsafeBufferPointer<UInt8>
  ) -> [UInt8] {
    let isQuoted = field.start > 0 && bytes[field.start - 1] == .quote
    let needsQuotes = text.utf8.contains { $0 == .quote || $0 == .comma }
    let inside = text.utf8.flatMap { $0 == .quote ? [.quote, .quote] : [$0] }
    return isQuoted || !needsQuotes ? inside : [.quote] + inside + [.quote]
  }
}

/// A value that is looked for, ready to be compared with the bytes of a file.
struct WantedValue {
  let text: String
  private let bytes: [UInt8]

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  func equals(_ value: CSVValue) -> Bool {
    value.asciiBytes?.elementsEqual(bytes) ?? (value.text == text)
  }
}
