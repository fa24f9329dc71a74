internal import Foundation
internal import Pipeline

extension Fault {
  static func patch(_ file: URL, _ problem: String) -> Fault {
    Fault(
      .badInput, doing: "reading the patch", subject: file.path, problem: problem,
      remedy: "Download it again, or make it with `chartpipe patch make`.")
  }

  static func applying(to base: URL, _ problem: String, remedy: String) -> Fault {
    Fault(
      .badInput, doing: "applying the patch to", subject: base.path, problem: problem, remedy: remedy)
  }
}
