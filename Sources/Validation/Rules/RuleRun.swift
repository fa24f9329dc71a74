internal import Core
internal import Foundation
internal import Pipeline
internal import SQLiteIO

/// More than this of one kind tells nobody anything new.
private let findingsPerRule = 20

extension Rule {
  /// What a rule finds in one file, bounded: the errors first, where there is too much. A rule that fails has found that the
  /// file is not as it must be.
  func run(_ place: String, _ check: () throws -> [Finding]) throws -> [Finding] {
    do {
      let found = try check()
      guard found.count > findingsPerRule else { return found }
      let all = found.filter { $0.severity == .error } + found.filter { $0.severity != .error }
      let rest = all.dropFirst(findingsPerRule)
      let message = "and \(Counts.grouped(rest.count)) more like these"
      let isGrave = rest.contains { $0.severity == .error }
      return all.prefix(findingsPerRule) + [isGrave ? error(place, message) : warning(place, message)]
    } catch let cancelled as CancellationError {
      throw cancelled
    } catch {
      return [self.error(place, "it cannot be checked: \(reason(error))")]
    }
  }
}

/// An error in the words of whoever knows it best.
func reason(_ error: any Error) -> String {
  switch error {
  case let error as SQLiteError: error.message
  case let error as DecodingError: error.whereAndWhy()
  case let fault as UserError: ([fault.reason] + fault.causes).joined(separator: ": ")
  default: error.localizedDescription
  }
}
