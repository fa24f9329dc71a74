/// Under which ids the rows of the tables are in the database, by the keys that other tables know them by.
///
/// A class, since each table that is filled adds to it and later tables ask it; used by one task.
final class RowNumbers {
  /// A row's key: the values of its columns, told apart by a character that is in no text. Text of up to 15 bytes, which most
  /// keys are, lies in the dictionary itself.
  typealias Key = String

  /// In place of the id where several rows have the key.
  private static let several = 0

  private var ids: [String: [Key: Int]] = [:]

  func add(_ id: Int, as key: Key, to kind: RowKey) {
    let before = ids[kind.name, default: [:]].updateValue(id, forKey: key)
    if before != nil { ids[kind.name]?[key] = RowNumbers.several }
  }

  /// The one row that has the key.
  func id(of key: Key, in kind: RowKey) -> Int? {
    let id = ids[kind.name]?[key]
    return id == RowNumbers.several ? nil : id
  }
}

extension SourceRow {
  /// The values of columns that follow each other; nil where all of them are empty.
  func key(_ wanted: Range<Int>) -> RowNumbers.Key? {
    var key = ""
    var isEmpty = true
    for index in wanted {
      let value = value(index)
      isEmpty = isEmpty && value.isEmpty
      key += value.text
      key += "\u{0}"
    }
    return isEmpty ? nil : key
  }
}

@available(*, unavailable)
extension RowNumbers: Sendable {}
