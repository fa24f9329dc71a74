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
  private let keys: [(place: Int, value: WantedValue)]
  private let place: Int
  private let faa: WantedValue
  private let right: WantedValue
  private var rows = 0
  private var found: String?
  private var firstEnding = CorrectionOutcome.Ending.unused
  private var firstEdit: Edit?

  /// - Parameter places: of the correction's columns in a record.
  init(_ correction: Correction, places: [Int]) {
    self.correction = correction
    let values = correction.row.sorted { $0.key < $1.key }.map { WantedValue($0.value) }
    keys = Array(zip(places, values))
    place = places[values.count]
    faa = WantedValue(correction.faa)
    right = WantedValue(correction.right)
  }

  var outcome: CorrectionOutcome {
    guard rows <= 1 else { return CorrectionOutcome(correction: correction, ending: .ambiguous, rows: rows) }
    return CorrectionOutcome(correction: correction, ending: firstEnding, found: found)
  }

  var edit: Edit? { rows == 1 ? firstEdit : nil }

  mutating func visit(_ record: CSVRecord, in bytes: UnsafeBufferPointer<UInt8>) {
    for key in keys where !key.value.equals(CSVValue(record.fields[key.place], in: bytes)) { return }
    rows += 1
    guard rows == 1 else { return }
    let field = record.fields[place]
    let value = CSVValue(field, in: bytes)
    if faa.equals(value) {
      firstEnding = .used
      firstEdit = Edit(start: field.start, end: field.end, bytes: written(into: field, of: bytes))
    } else if right.equals(value) {
      firstEnding = .alreadyRight
    } else {
      firstEnding = .overtaken
      found = value.text
    }
  }

  /// The right value as it must stand there: within the quotes that there are, or within its own where it needs them.
  private func written(into field: CSVField, of bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    let isQuoted = field.start > 0 && bytes[field.start - 1] == .quote
    let needsQuotes = right.bytes.contains { $0 == .quote || $0 == .comma }
    let inside = right.bytes.flatMap { $0 == .quote ? [.quote, .quote] : [$0] }
    if isQuoted { return inside }
    return needsQuotes ? [.quote] + inside + [.quote] : right.bytes
  }
}

/// A value that is looked for, ready to be held against the bytes of a file.
private struct WantedValue {
  let text: String
  let bytes: [UInt8]

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  func equals(_ value: CSVValue) -> Bool {
    value.asciiBytes?.elementsEqual(bytes) ?? (value.text == text)
  }
}
