internal import CSQLite

/// Ends a statement that goes on and on: a view of a strange file can be such that no answer ever comes.
public final class SQLitePatience {
  /// Minutes. The longest that is asked of the largest of our files takes a hundredth of it.
  public static let usual = 4000

  private let millions: Int
  private var left: Int

  init(millions: Int) { (self.millions, left) = (millions, millions) }

  func renew() { left = millions }

  /// It must live as long as the connection.
  func watch(_ handle: OpaquePointer?) {
    sqlite3_progress_handler(
      handle, 1_000_000,
      { context in
        guard let context else { return 0 }
        return Unmanaged<SQLitePatience>.fromOpaque(context).takeUnretainedValue().isGone() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func isGone() -> Bool {
    left -= 1
    return left < 0
  }
}

@available(*, unavailable)
extension SQLitePatience: Sendable {}
