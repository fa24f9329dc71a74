internal import Core
internal import CryptoIO

/// The edition that an archive of ours claims to be, for whoever has nothing but the file.
struct ArchiveEdition: ArchiveRule {
  let name = "archive-edition"
  let protects = "A chart that was copied without its description still has the right expiry date."

  func check(_ archive: ArchiveUnderTest) -> [Finding] {
    (dates(archive) + [source(archive)].compactMap(\.self)).map { error(archive.place, $0) }
  }

  private func dates(_ archive: ArchiveUnderTest) -> [String] {
    let keys = ["cycle", "effective", "expires"].map { "chartpipe:\($0)" }
    let told = keys.compactMap { archive.metadata[$0] }
    if told.isEmpty { return [] }  // somebody else's
    guard told.count == keys.count else {
      return keys.filter { archive.metadata[$0] == nil }.map { "the metadata has no `\($0)`" }
    }
    guard let cycle = AiracCycle(identifier: told[0]) else {
      return ["`\(keys[0])` is \(told[0]), which is not in the calendar"]
    }
    let cadences = Cadence.allCases.filter { cycle.issue($0).effective.description == told[1] }
    guard let cadence = cadences.first else {
      return ["`\(keys[1])` is \(told[1]), but nothing that is in force in cycle \(cycle) took effect then"]
    }
    let ends = cadences.map { cycle.expires($0).description }
    return [
      ends.contains(told[2])
        ? nil : "`\(keys[2])` is \(told[2]), but this edition ends at \(ends.joined(separator: " or "))",
      version(archive, of: cycle.issue(cadence)),
    ].compactMap(\.self)
  }

  private func version(_ archive: ArchiveUnderTest, of edition: AiracCycle) -> String? {
    guard let version = archive.metadata["version"], !version.isEmpty, version != edition.identifier else {
      return nil
    }
    return "`version` is \(version), but the edition is \(edition.identifier)"
  }

  /// Of a mosaic there are several.
  private func source(_ archive: ArchiveUnderTest) -> String? {
    let key = "chartpipe:source_sha256"
    guard let told = archive.metadata[key] else { return nil }
    let parts = told.split(separator: ",", omittingEmptySubsequences: false)
    return parts.allSatisfy { SHA256Hex(String($0)) != nil }
      ? nil : "`\(key)` is \"\(told.prefix(80))\", which is no hash"
  }
}
