import Foundation

/// What this process takes of the machine's memory.
enum ProcessMemory {
  /// The most that was in use at one time, in bytes; nil for a system that does not tell.
  static var peak: Int? {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
  }
}
