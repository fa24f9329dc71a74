internal import Core
internal import Foundation
internal import Pipeline

/// The staged site that is to be published.
struct SiteSource {
  let site: SiteFolder
  let serial: Int
  let manifests: [AiracCycle: StoredManifest]

  init(_ root: URL) throws {
    site = SiteFolder(root: root)
    guard root.kindOnDisk == .folder, let catalogue = try site.readCatalogue() else {
      throw UserError(
        .badCall, operation: "publishing", path: root.path, reason: "no site is staged there",
        suggestion: "Name the folder that `chartpipe stage` wrote.")
    }
    serial = catalogue.serial
    manifests = try site.readManifests()
    for (cycle, stored) in manifests where stored.manifest.cycle != cycle.identifier {
      throw SiteSource.refusal(
        site.manifest(of: cycle.identifier), "it is of cycle \(stored.manifest.cycle)")
    }
  }

  /// A cycle can only be published again from a site that holds it.
  func check(_ reinstated: Set<AiracCycle>) throws {
    guard let absent = reinstated.subtracting(manifests.keys).min() else { return }
    let held = manifests.keys.sorted().map(\.identifier).joined(separator: ", ")
    throw UserError(
      .badCall, operation: "publishing", path: site.root.path,
      reason: "cycle \(absent.identifier) is to be reinstated and is not in the site",
      suggestion: "Name one of its cycles: \(held.isEmpty ? "it has none" : held).")
  }

  /// Nothing goes out that was not found good, by this version.
  func check(_ stored: StoredManifest) throws {
    let (manifest, validation) = (stored.manifest, stored.manifest.validation)
    let file = site.manifest(of: manifest.cycle)
    guard validation.ok else { throw SiteSource.refusal(file, "validation did not pass") }
    guard validation.tool == ToolVersion.tool, validation.version == ToolVersion.version else {
      throw SiteSource.refusal(
        file,
        "it was validated by \(validation.tool) \(validation.version), and this is \(ToolVersion.version)")
    }
  }

  /// The products of all cycles that this version found good.
  var checkedProducts: [Product] {
    manifests.sorted { $0.key < $1.key }.map(\.value)
      .filter { (try? check($0)) != nil }.flatMap { CycleProducts($0.manifest).all }
  }

  /// The file itself, where the site has it at its full size; its hash is proved while it is sent.
  func file(_ reference: FileReference) -> URL? {
    let file = site.root.appending(path: reference.path)
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular,
      attributes?[.size] as? Int == reference.bytes
    else { return nil }
    return file
  }

  /// What was made of a cycle for people, by name.
  func pages(of cycle: String) throws -> [(name: String, data: Data)] {
    let folder = site.cycles.appending(path: cycle)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0 == "report.html" || SiteSource.isOfChanges($0) }
      .map { ($0, try Data(contentsOf: folder.appending(path: $0))) }
  }

  /// `changes.html`, `changes-nasr-aviation.json`
  private static func isOfChanges(_ name: String) -> Bool {
    let (stem, ending) = (name.dropLast(5), name.suffix(5))
    return name.hasPrefix("changes") && [".html", ".json"].contains(ending)
      && stem.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
  }

  private static func refusal(_ file: URL, _ problem: String) -> UserError {
    UserError(
      .refused, operation: "publishing", path: file.path, reason: problem,
      suggestion: "Stage that cycle again. Nothing was published.")
  }
}
