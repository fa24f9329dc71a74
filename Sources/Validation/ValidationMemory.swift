internal import Foundation

/// What the rules found in each file, so that a second validation in the same run looks only at files that changed.
///
/// Rules about a whole cycle are applied each time, since they depend on which products there are.
public final class ValidationMemory {
  private struct Key: Hashable {
    let path: String
    let number: UInt64
    let bytes: UInt64
    let changed: Date
  }

  private var results: [Key: FileCheck.Result] = [:]

  public init() {}

  /// The result of an earlier check of this very file, else that of `check`.
  func result(of subject: SubjectList.Subject, _ check: () throws -> FileCheck.Result) rethrows
    -> FileCheck.Result
  {
    guard let key = ValidationMemory.key(subject.url) else { return try check() }
    if let known = results[key] { return known }
    let found = try check()
    results[key] = found
    return found
  }

  /// Every output of a step is a new file, so a file that was built again has another number or time.
  private static func key(_ file: URL) -> Key? {
    guard let facts = try? FileManager.default.attributesOfItem(atPath: file.path),
      let number = facts[.systemFileNumber] as? UInt64, let bytes = facts[.size] as? UInt64,
      let changed = facts[.modificationDate] as? Date
    else { return nil }
    return Key(path: file.standardizedFileURL.path, number: number, bytes: bytes, changed: changed)
  }
}

@available(*, unavailable)
extension ValidationMemory: Sendable {}
