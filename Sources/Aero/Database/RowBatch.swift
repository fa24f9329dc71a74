/// Rows on their way from the task that reads them to the thread that writes them. Text is copied into it, so that it hangs on
/// nothing.
struct RowBatch: Sendable {
  enum Value {
    case null
    case integer(Int)
    case real(Double)
    /// Among the texts of the batch.
    case text(start: Int, count: Int)
    case blob(start: Int, count: Int)
    /// One more than the table has rows, which is known when the row is written: those before it may be refused.
    case number
    /// The same within what the row belongs to.
    case count
  }

  struct Row {
    /// Which of the stream's tables it goes to; its values end where another row's begin.
    let table: Int
    let firstValue: Int
  }

  /// The rows that are made of one row of the source.
  struct Group {
    let endOfRows: Int
    let line: Int
    /// Whether it belongs to something else than the group before.
    let startsOwner: Bool
  }

  private static let mostValues = 1 << 14
  private static let mostTextBytes = 1 << 18

  var values: [Value] = []
  var texts: [UInt8] = []
  var rows: [Row] = []
  var groups: [Group] = []

  init() {}

  /// An empty one, with room for as much as another holds: nothing is moved then while it is filled.
  init(after full: RowBatch) {
    values.reserveCapacity(full.values.count)
    texts.reserveCapacity(full.texts.count)
    rows.reserveCapacity(full.rows.count)
    groups.reserveCapacity(full.groups.count)
  }

  var isFull: Bool { values.count >= RowBatch.mostValues || texts.count >= RowBatch.mostTextBytes }

  /// Copies bytes, and tells where they are among the texts.
  mutating func copy(_ bytes: some Collection<UInt8>) -> (start: Int, count: Int) {
    let start = texts.count
    texts.append(contentsOf: bytes)
    return (start, texts.count - start)
  }
}
