public import Foundation

extension Process {
  /// Waits for the end of the process without using the processor: Foundation's own wait runs a loop on Linux.
  public func waitForExit() {
    while isRunning { Thread.sleep(forTimeInterval: 0.005) }
  }
}
