internal import Synchronization

/// The warnings that a run printed. Several phases of a run find the same ones: the build finds a doubt about a chart, validation
/// reads it again from the product.
final class PrintedWarnings: Sendable {
  private let printed = Mutex<[(step: String, message: String)]>([])

  /// Remembers a warning. Returns false for one that was printed before, also where staging prints it as a finding:
  /// `PRODUCT: PLACE: MESSAGE`. Returns true for all other events.
  func isNew(_ event: ProgressEvent) -> Bool {
    guard case .warning(let step, let message) = event else { return true }
    return printed.withLock { known in
      let isKnown = known.contains {
        $0 == (step, message) || message.hasPrefix("\($0.step): ") && message.hasSuffix(": \($0.message)")
      }
      if !isKnown { known.append((step, message)) }
      return !isKnown
    }
  }
}
