import Foundation

/// What chartpipe reads of the environment; secrets come no other way.
enum EnvironmentVariable: String, CaseIterable {
  case key = "CHARTPIPE_KEY"
  case passphrase = "CHARTPIPE_PASSPHRASE"
  case noColor = "NO_COLOR"

  /// Nil when it is not set, or empty.
  var value: String? {
    ProcessInfo.processInfo.environment[rawValue].flatMap { $0.isEmpty ? nil : $0 }
  }

  var help: String {
    switch self {
    case .key: "the secret key, as text in PEM, that catalogues are signed with when --key is not given"
    case .passphrase: "what the secret key is encrypted with"
    case .noColor: "when set, nothing is coloured"
    }
  }
}
