public import Foundation

/// The identity, size and times of a file, which show without reading it that it was replaced or written to.
public struct FileStamp: Codable, Hashable, Sendable {
  /// Device, inode, size, the seconds and nanoseconds of the content's and of the inode's last change, and the number of names.
  private let numbers: [Int]

  /// Links are followed. Nil where there is no file.
  public init?(_ file: URL) {
    guard let facts = file.status else { return nil }
    #if canImport(Glibc)
      let (content, inode) = (facts.st_mtim, facts.st_ctim)
    #else
      let (content, inode) = (facts.st_mtimespec, facts.st_ctimespec)
    #endif
    numbers = [
      Int(truncatingIfNeeded: facts.st_dev), Int(truncatingIfNeeded: facts.st_ino), Int(facts.st_size),
      content.tv_sec, content.tv_nsec, inode.tv_sec, inode.tv_nsec,
      Int(facts.st_nlink),
    ]
  }

  public var bytes: Int { numbers[2] }
  /// The time of the inode's last change, such as a new name.
  public var changed: Date { Date(timeIntervalSince1970: Double(numbers[5])) }
  public var hasOtherNames: Bool { numbers[7] > 1 }

  /// Whether both are stamps of one file with the same content, which may have been renamed in between.
  public func isSameContent(as other: FileStamp) -> Bool { numbers.prefix(5) == other.numbers.prefix(5) }

  /// The seconds for which a file must have been unchanged at an instant, so that each later change gets another time.
  ///
  /// The system updates its clock for files once in some milliseconds. File systems without nanoseconds count in seconds, or in
  /// pairs of seconds.
  private var granule: Double { numbers[6] == 0 ? 2.1 : FileStamp.tick }

  private static let tick: Double = {
    #if canImport(Glibc)
      var resolution = timespec()
      guard clock_getres(CLOCK_REALTIME_COARSE, &resolution) == 0 else { return 0.02 }
      return 2 * (Double(resolution.tv_sec) + Double(resolution.tv_nsec) / 1e9)
    #else
      return 0.001
    #endif
  }()

  /// Returns how many seconds after an instant a change of the file would certainly get another time; negative or zero if at once.
  /// No user can set the time of the inode's last change.
  public func unsettled(at instant: Date) -> Double {
    let changed = Double(numbers[5]) + Double(numbers[6]) / 1e9
    return changed + granule - instant.timeIntervalSince1970
  }
}
