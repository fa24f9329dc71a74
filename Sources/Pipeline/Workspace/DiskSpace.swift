internal import Core
public import Foundation

/// How much more a folder may take: what its disk has left, and what somebody allows it.
public struct DiskSpace: Sendable {
  private let folder: URL
  /// The most bytes that the folder may hold; nil where only the disk bounds it.
  private let limit: Int?

  public init(_ folder: URL, limit: Int? = nil) {
    self.folder = folder
    self.limit = limit
  }

  /// What the disk has left for those who are not its administrator; nil for a system that does not tell.
  public var free: Int? {
    let facts = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
    return (facts?[.systemFreeSize] as? NSNumber)?.intValue
  }

  /// What the folder holds. Links are not followed, and a file of two names counts once.
  public var used: Int {
    var seen: Set<[Int]> = []
    let walk = FileManager.default.enumerator(atPath: folder.path)
    return walk?.reduce(into: 0) { sum, path in
      guard let path = path as? String,
        let facts = try? FileManager.default.attributesOfItem(atPath: folder.appending(path: path).path),
        facts[.type] as? FileAttributeType == .typeRegular,
        seen.insert([number(facts[.systemNumber]), number(facts[.systemFileNumber])]).inserted
      else { return }
      sum += number(facts[.size])
    } ?? 0
  }

  private func number(_ fact: Any?) -> Int { (fact as? NSNumber)?.intValue ?? 0 }

  /// Refuses what would not fit, before it is begun.
  public func check(_ bytes: Int, for subject: String) throws {
    guard bytes > 0 else { return }
    let need = "it needs about \(Counts.bytes(bytes))"
    if let limit, case let used = used, bytes > limit - used {
      throw fault(
        subject,
        "\(need), and of the \(Counts.bytes(limit)) that --max-disk allows, \(folder.path) holds \(Counts.bytes(used))",
        remedy: DiskSpace.allowMore)
    }
    if let free, bytes > free {
      throw fault(
        subject, "\(need), and the disk of \(folder.path) has \(Counts.bytes(free)) left",
        remedy: "Free some space, or give a folder on another disk with --work.")
    }
  }

  /// Refuses what turned out larger than was thought.
  public func checkKept(for subject: String) throws {
    guard let limit, case let used = used, used > limit else { return }
    throw fault(
      subject,
      "with it \(folder.path) would hold \(Counts.bytes(used)), and --max-disk allows \(Counts.bytes(limit))",
      remedy: DiskSpace.allowMore)
  }

  private static let allowMore = "Allow more, or remove from that folder what is no longer needed."

  private func fault(_ subject: String, _ problem: String, remedy: String) -> UserError {
    UserError(.failed, operation: "making room for", path: subject, reason: problem, suggestion: remedy)
  }
}
