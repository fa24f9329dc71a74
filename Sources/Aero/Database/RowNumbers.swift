/// Under which ids the rows of the tables are in the database, by the keys that other tables know them by.
///
/// A class, since each table that is filled adds to it and later tables ask it; used by one task.
final class RowNumbers {
  /// A row's key: the values of its columns, told apart by a byte that is in no text.
  typealias Key = [UInt8]

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

extension RowKey {
  fileprivate var name: String { table + " " + columns.joined(separator: " ") }
}

extension SourceRow {
  /// The values of columns that follow each other; nil where all of them are empty.
  func key(_ wanted: Range<Int>) -> RowNumbers.Key? {
    var key: RowNumbers.Key = []
    for index in wanted {
      let value = value(index)
      if let bytes = value.asciiBytes { key += bytes } else { key += value.text.utf8 }
      key.append(0)
    }
    return key.allSatisfy { $0 == 0 } ? nil : key
  }
}

@available(*, unavailable)
extension RowNumbers: Sendable {}
