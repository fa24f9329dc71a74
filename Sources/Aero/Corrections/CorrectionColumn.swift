/// A column that a correction names, as it lies in this cycle's file.
///
/// A latitude or longitude may be in the file as degrees, minutes and seconds alone: it is then compared and corrected there.
struct CorrectionColumn {
  /// The field of the column; nil where the cycle has only the degrees, minutes and seconds.
  private let place: Int?
  private let angles: AngleColumns?

  /// Nil where the header has the column in neither form.
  init?(_ name: String, in header: [String]) {
    place = header.firstIndex(of: name)
    angles = AngleColumns(beside: name, in: header)
    if place == nil && angles == nil { return nil }
  }

  /// Whether a value can be written where the column is a position.
  func canHold(_ value: WantedValue) -> Bool { angles.map { $0.fields(for: value.text) != nil } ?? true }

  /// The text of the field, or where it is empty or missing the degrees, minutes and seconds.
  func text(of record: CSVRecord, in bytes: UnsafeBufferPointer<UInt8>) -> String {
    let value = place.map { CSVValue(record.fields[$0], in: bytes).text } ?? ""
    return value.isEmpty ? angles?.text { CSVValue(record.fields[$0], in: bytes) } ?? "" : value
  }

  func equals(
    _ wanted: WantedValue, in record: CSVRecord, of bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let angles = anglesInUse(record, bytes) else {
      return place.map { wanted.equals(CSVValue(record.fields[$0], in: bytes)) } ?? wanted.text.isEmpty
    }
    return angles.degrees { CSVValue(record.fields[$0], in: bytes) } == Double(wanted.text)
  }

  /// The fields that a value goes into, and the text of each.
  func fields(
    for value: WantedValue, in record: CSVRecord, of bytes: UnsafeBufferPointer<UInt8>
  ) -> [(place: Int, text: String)] {
    if let angles = place == nil ? angles : anglesInUse(record, bytes) {
      return angles.fields(for: value.text) ?? []
    }
    return place.map { [($0, value.text)] } ?? []
  }

  /// The degrees, minutes and seconds, where the field itself is empty or missing and they are not.
  private func anglesInUse(
    _ record: CSVRecord, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> AngleColumns? {
    if let place, !CSVValue(record.fields[place], in: bytes).isEmpty { return nil }
    guard let angles, !angles.text({ CSVValue(record.fields[$0], in: bytes) }).isEmpty else { return nil }
    return angles
  }
}
