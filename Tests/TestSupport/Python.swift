internal import Foundation

/// Debian's Python, with whose libraries results are looked at independently.
public enum Python {
  private static let url = URL(filePath: "/usr/bin/python3")

  /// Whether it has a module, which `scripts/install-test-dependencies` brings.
  public static func has(_ module: String) -> Bool {
    (try? RunningProgram(url, ["-c", "import \(module)"]).wait().status) == 0
  }

  /// What a program prints.
  public static func run(_ program: String, _ arguments: [String]) throws -> Program.Ending {
    try RunningProgram(url, ["-c", program] + arguments).wait()
  }
}
