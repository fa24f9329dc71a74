internal import Core
internal import Foundation
internal import Pipeline

extension UserError {
  static func patch(_ file: URL, _ problem: String) -> UserError {
    UserError(
      .badInput, operation: "reading the patch", path: file.path, reason: problem,
      suggestion: "Download it again, or make it with `chartpipe patch make`.")
  }

  static func applying(to base: URL, _ problem: String, remedy: String) -> UserError {
    UserError(
      .badInput, operation: "applying the patch to", path: base.path, reason: problem, suggestion: remedy)
  }
}
