/// Under which ids the rows of the tables are in the database, by the keys that other tables know them by.
///
/// A class, since each table that is filled adds to it and later tables ask it; used by one task.
final class RowNumbers {
  /// A row's key: the values of its columns, told apart by a character that is in no text. Text of up to 15 bytes, which most
  /// keys are, lies in the dictionary itself.
  typealias Key = String

  /// The ids of the rows that are known by one kind of key.
  final class Ids {
    /// In place of the id where several rows have the key.
    private static let several = 0

    private var ids: [Key: Int] = [:]

    func add(_ id: Int, as key: Key) {
      if ids.updateValue(id, forKey: key) != nil { ids[key] = Ids.several }
    }

    /// The one row that has the key.
    subscript(key: Key) -> Int? {
      let id = ids[key]
      return id == Ids.several ? nil : id
    }
  }

  private var kinds: [String: Ids] = [:]

  func ids(of kind: RowKey) -> Ids {
    if let ids = kinds[kind.name] { return ids }
    let ids = Ids()
    kinds[kind.name] = ids
    return ids
  }
}

extension SourceRow {
  /// The values of columns that follow each other; nil where all of them are empty.
  func key(_ wanted: Range<Int>) -> RowNumbers.Key? {
    var size = wanted.count
    for index in wanted {
      guard let bytes = value(index).asciiBytes else { return decodedKey(wanted) }
      size += bytes.count
    }
    guard size > wanted.count else { return nil }
    return String(unsafeUninitializedCapacity: size) { key in
      var end = 0
      for index in wanted {
        for byte in value(index).asciiBytes ?? UnsafeBufferPointer(start: nil, count: 0) {
          key[end] = byte
          end += 1
        }
        key[end] = 0
        end += 1
      }
      return end
    }
  }

  /// The same of values that have to be decoded.
  private func decodedKey(_ wanted: Range<Int>) -> RowNumbers.Key? {
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
