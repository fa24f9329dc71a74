internal import Synchronization

/// The warnings that a run printed. Several phases of a run find the same ones: the build finds a doubt about a chart, validation
/// reads it again from the product.
final class PrintedWarnings: Sendable {
  private struct Warning: Equatable {
    var step: String
    var message: String

    /// Whether the text contains this warning, as staging prints findings: `PRODUCT: PLACE: MESSAGE`.
    func isRepeated(by other: Warning) -> Bool {
      self == other || other.message.hasPrefix("\(step): ") && other.message.hasSuffix(": \(message)")
    }
  }

  private let printed = Mutex<[Warning]>([])

  /// Remembers a warning. Returns false for one that was printed before.
  func isNew(step: String, message: String) -> Bool {
    let warning = Warning(step: step, message: message)
    return printed.withLock { known in
      guard !known.contains(where: { $0.isRepeated(by: warning) }) else { return false }
      known.append(warning)
      return true
    }
  }
}

/// Passes on each warning once, and all other events.
struct OnceProgress: ProgressReporter {
  let reporter: any ProgressReporter
  let printed: PrintedWarnings

  func report(_ event: ProgressEvent) {
    if case .warning(let step, let message) = event, !printed.isNew(step: step, message: message) { return }
    reporter.report(event)
  }
}
