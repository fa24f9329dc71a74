public import Foundation
public import Pipeline

/// Looks at finished files as a stranger would, by their paths alone, and collects all that the rules find.
public struct Validator {
  public init() {}

  /// In the order in which their findings are told.
  public static var rules: [any Rule] {
    [Readable()] + ArchiveCheck.rules + DatabaseCheck.rules + ExportCheck.rules + ProductCheck.rules
  }

  /// Each path is an archive, a database, a product's description (which brings its files), or a folder of these.
  /// What is wrong with a file is a finding; a fault is thrown only where there is nothing to look at.
  public func validate(_ paths: [URL], progress: any ProgressReporter) throws -> ValidationReport {
    let subjects = try SubjectList(paths).subjects
    var findings: [Finding] = []
    for subject in subjects {
      try Task.checkCancellation()
      let step = "validate " + subject.url.pathComponents.suffix(2).joined(separator: "/")
      progress.report(.started(step: step))
      let found = try Validator.check(subject) { done, total in
        progress.report(.advanced(step: step, done: done, total: total, unit: "tiles"))
      }
      progress.report(.finished(step: step, detail: ValidationText.count(found)))
      findings += found
    }
    return ValidationReport(findings: findings, validated: subjects.map(\.place))
  }

  private static func check(
    _ subject: SubjectList.Subject, advanced: @escaping (_ done: Int, _ total: Int) -> Void
  ) throws -> [Finding] {
    do {
      switch subject.kind {
      case .archive:
        let archive = try opening { try ArchiveUnderTest(subject.url, place: subject.place) }
        return try ArchiveCheck(archive: archive, advanced: advanced).findings()
      case .database:
        let database = try opening { try DatabaseUnderTest(subject.url, place: subject.place) }
        return try database.isOfIdentifiers
          ? ExportCheck.findings(inIdentifiers: database) : DatabaseCheck(database: database).findings()
      case .airports:
        let database = try opening { try DatabaseUnderTest(subject.url, place: subject.place) }
        return try ExportCheck.findings(inAirports: database)
      case .lines:
        let lines = try opening { try LinesUnderTest(subject.url, place: subject.place) }
        return try ExportCheck.findings(in: lines)
      case .product:
        let product = try opening { try ProductUnderTest(subject.url, place: subject.place) }
        return try ProductCheck(product: product).findings()
      }
    } catch let unopened as Unopened {
      return [Readable().error(subject.place, "it cannot be opened: \(reason(unopened.cause))")]
    }
  }

  private static func opening<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch {
      throw Unopened(cause: error)
    }
  }

  private struct Unopened: Error {
    let cause: any Error
  }
}
