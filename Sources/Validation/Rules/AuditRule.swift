internal import Core
internal import Foundation

/// Compares each value of a database with the FAA's files that it was made from. Without the files, the audit of the build counts, if it
/// was of this very file.
struct AuditRule: Rule {
  let name = "audit"
  let protects = "Every value of a database is the one in the FAA's files, and no row is missing or added."

  func check(_ database: DatabaseUnderTest) throws -> RuleResult {
    // A selection is compared with its database.
    guard database.metadata[ObstacleExport.heightKey] == nil else { return RuleResult() }
    guard let subject = database.product else {
      if database.sources == nil { return RuleResult() }
      throw unable("its description, which names its sources, is not beside it: validate its folder")
    }
    guard let file = subject.file(role: .database) else { return RuleResult() }
    let sha256 = try subject.hashes.sha256(of: file)
    guard let folder = database.sources else {
      guard let audit = subject.product.audit, audit.sha256 == sha256, audit.differ == 0 else {
        return RuleResult(
          missing: .audit, of: subject, "its values were not compared with its sources: name them with --from"
        )
      }
      return result(subject, audit)
    }
    let (tables, classAirspace, specialUse) = try sources(of: database, subject, in: folder)
    let audit = try DatabaseAudit(
      database: file, cycle: subject.product.cycle, tables: tables, classAirspace: classAirspace,
      specialUse: specialUse, problems: problems(of: subject),
      jobs: ProcessInfo.processInfo.activeProcessorCount
    ).result()
    var result = result(subject, audit.evidence(of: sha256))
    result.findings = audit.differences.map { error("\(database.place) \($0.place)", $0.text) }
    for (table, count) in subject.product.build.counts.sorted(by: { $0.key < $1.key })
    where database.tables.contains(table) {
      let rows = try database.connection.count("\"\(table)\"")
      if rows == count { continue }
      result.findings.append(
        error(database.place, "\(table) has \(rows) rows, and its description says \(count)"))
    }
    if audit.more > 0 {
      result.findings.append(
        error(database.place, "\(Counts.of(audit.more, "more row")) differ from the sources"))
    }
    return result
  }

  private func result(_ subject: ProductUnderTest, _ audit: Product.Audit) -> RuleResult {
    RuleResult(facts: [subject.product.id: ProductFacts(audit: audit)])
  }

  private func problems(of subject: ProductUnderTest) -> ProblemReport? {
    let file = subject.folder.appending(path: "\(subject.product.id.itemOfID).problems.json")
    return (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode(ProblemReport.self, from: $0) }
  }

  private func sources(
    of database: DatabaseUnderTest, _ subject: ProductUnderTest, in folder: SourceFolder
  ) throws -> (SourceFile, classAirspace: SourceFile?, specialUse: SourceFile?) {
    let files = try subject.product.sources.map { source in
      guard let file = try folder.locate([source.url]) else {
        throw unable("\(source.url) is not in \(folder.root.path)")
      }
      guard file.sha256 == source.sha256 else {
        throw unable("\(source.url) in \(folder.root.path) is not the file that it was made from")
      }
      return file
    }
    guard let tables = files.first else { throw unable("its description names no source") }
    let named = { (key: String) in files.first { $0.name == database.metadata["source_" + key] } }
    let (classAirspace, specialUse) = (named("class_airspace"), named("special_use"))
    guard files.count == 1 + [classAirspace, specialUse].count(where: { $0 != nil }) else {
      throw unable("its metadata does not name the sources that its description names")
    }
    return (tables, classAirspace, specialUse)
  }

  private func unable(_ reason: String) -> UserError {
    UserError(.badInput, operation: "auditing the database", reason: reason)
  }
}
