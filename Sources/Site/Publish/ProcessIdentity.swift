internal import Core
internal import CryptoIO
internal import Foundation

/// Identifies a process, so that a later process on the same machine can find out whether it still runs.
///
/// The ID alone does not suffice: the system gives it to other processes later, and each container counts its own. So an identity also
/// has the boot and the namespace in which the ID is valid, and the start of the process.
struct ProcessIdentity: Codable, Equatable, Sendable {
  /// A hash of the machine's name, the boot and the namespace of process IDs, since `publishing.json` is public.
  var host: String
  var pid: Int32
  /// In ticks since the boot.
  var started: Int

  /// This process.
  static let current = ProcessIdentity(of: getpid())

  /// Nil for a process that does not exist, and where the system does not show processes below `/proc`.
  init?(of pid: Int32) {
    // In a container, `/proc` may show the processes of another namespace.
    guard ProcessIdentity.link("/proc/self") == "\(getpid())", let state = ProcessIdentity.state(of: pid),
      let boot = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8),
      let name = try? String(contentsOfFile: "/proc/sys/kernel/hostname", encoding: .utf8),
      let namespace = ProcessIdentity.link("/proc/self/ns/pid"),
      let host = try? SHA256Hex(of: Array("\(name)\(boot)\(namespace)".utf8))
    else { return nil }
    (self.host, self.pid, started) = (host.text, pid, state.started)
  }

  /// Whether it is certain that the process has ended. False for a process of another machine or container.
  var hasEnded: Bool {
    guard pid > 0, let own = ProcessIdentity.current, host == own.host else { return false }
    guard kill(pid, 0) == 0 else { return errno == ESRCH }
    guard let state = ProcessIdentity.state(of: pid) else { return false }
    return state.started != started || state.isDead
  }

  private static func link(_ path: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: path)
  }

  /// Parses `4711 (name) S …`. The name may contain any character.
  private static func state(of pid: Int32) -> (started: Int, isDead: Bool)? {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
      let name = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[text.index(after: name)...].split(separator: " ")
    guard fields.count > 19, let threads = Int(fields[17]), let started = Int(fields[19]) else { return nil }
    // The first thread of a killed process may have ended before the others.
    return (started, ["Z", "X"].contains(fields[0]) && threads <= 1)
  }
}
