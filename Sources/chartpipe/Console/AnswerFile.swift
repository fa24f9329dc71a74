import Core
import Foundation
import Pipeline

extension URL {
  /// Writes what somebody asked to have in a file, so that it is there as a whole or not at all.
  func writeAnswer(_ data: Data) throws {
    try aside { try DurableFile.write(data, to: self, scratch: $0) }
  }

  /// The same of what is too large for memory: it is made at another place on the same disk, and moved here when it is whole.
  func makeAnswer<Result>(_ make: (_ scratch: URL) throws -> Result) throws -> Result {
    try aside { scratch in
      let result = try make(scratch)
      try DurableFile.publish(scratch, as: self)
      return result
    }
  }

  private func aside<Result>(_ body: (_ scratch: URL) throws -> Result) throws -> Result {
    // A rename would put a file in the place of a folder, a device or a pipe.
    let kind = try? FileManager.default.attributesOfItem(atPath: resolvingSymlinksInPath().path)[.type]
    if let kind = kind as? FileAttributeType, kind != .typeRegular {
      throw UserError(
        .badCall, operation: "writing", path: path, reason: "it is there already, and is no plain file",
        suggestion: "Name a file.")
    }
    let scratch = deletingLastPathComponent().appending(path: ".\(UUID().uuidString).\(pathExtension)")
    defer { try? FileManager.default.removeItem(at: scratch) }
    return try body(scratch)
  }

  /// Whether writing to one would overwrite the other.
  func isSameFile(as other: URL) -> Bool {
    resolvingSymlinksInPath().path == other.resolvingSymlinksInPath().path
  }
}
