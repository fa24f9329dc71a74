/// Finds out which of the rows under one key are about the same thing in both files.
struct Pairing {
  enum Rule: Sendable {
    /// These columns are the same.
    case same([String])
    case test(@Sendable (_ old: ComparedRow, _ new: ComparedRow) -> Bool)
    /// Nothing else is left on either side.
    case alone
  }

  private(set) var pairs: [(old: ComparedRow, new: ComparedRow)] = []
  private(set) var removed: [ComparedRow]
  private(set) var added: [ComparedRow]

  /// The rules are tried one after another on what the ones before have left.
  init(_ old: [ComparedRow], _ new: [ComparedRow], columns: [String], by rules: [Rule]) {
    (removed, added) = (old, new)
    pair { old, new in columns.allSatisfy { old[$0] == new[$0] } }
    pairs = []
    for rule in rules {
      switch rule {
      case .same(let names): pair { old, new in names.allSatisfy { old[$0] == new[$0] } }
      case .test(let fits): pair(fits)
      case .alone: if removed.count == 1, added.count == 1 { pair { _, _ in true } }
      }
    }
  }

  private mutating func pair(_ fits: (ComparedRow, ComparedRow) -> Bool) {
    guard !added.isEmpty else { return }
    var left: [ComparedRow] = []
    for old in removed {
      if let index = added.firstIndex(where: { fits(old, $0) }) {
        pairs.append((old, added.remove(at: index)))
      } else {
        left.append(old)
      }
    }
    removed = left
  }
}
