internal import ArchiveIO
internal import Core
internal import Foundation
internal import HTTPIO
internal import ImageIO
internal import RasterIO
internal import SQLiteIO

extension CommandSpec {
  static let doctor = CommandSpec(
    name: "doctor", summary: "Checks whether this machine can run the pipeline.",
    options: [.work, .pipelines, .json],
    examples: """
      chartpipe doctor
        exit 0 if nothing is missing, 1 otherwise
      """,
    action: runDoctor)
}

private func runDoctor(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let examination = Examination(workspace: arguments.workspace, pipelines: arguments.library.folder)
  try console.result(examination, text: examination.text)
  return examination.ok ? nil : .failed
}

/// The checks of `chartpipe doctor` with their results.
struct Examination: Encodable {
  enum Group: String, Encodable, CaseIterable {
    case libraries
    case machine = "disk and memory"
    case definitions

    fileprivate var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
  }

  struct Check: Encodable {
    var group: Group
    var name: String
    var ok: Bool
    var detail: String

    fileprivate var mark: String { ok ? "ok    " : "FAILED" }
  }

  var ok: Bool
  var checks: [Check]

  init(workspace: Workspace, pipelines: URL) {
    checks =
      [
        Check(.libraries, "gdal") { "GDAL \(gdalVersion()), \(try Examination.projectPoint())" },
        Check(.libraries, "sqlite") {
          "SQLite \(SQLiteConnection.libraryVersion), \(try Examination.useDatabase())"
        },
        Check(.libraries, "tiles") {
          (ImageLibraries.versions.map { "\($0) \($1)" } + ["libpng \(PNG.libraryVersion)"]).sorted()
            .joined(separator: ", ")
        },
        Check(.libraries, "archives") { "libzip \(ZipArchive.libraryVersion)" },
        Check(.libraries, "network") { try HTTPClient.library() },
        Check(.machine, "work folder") { try Examination.writeFile(workspace) },
        Check(.machine, "memory") { Counts.bytes(Int(clamping: ProcessInfo.processInfo.physicalMemory)) },
        Check(.machine, "cores") { "\(ProcessInfo.processInfo.activeProcessorCount)" },
      ] + Examination.definitions(in: pipelines)
    ok = checks.allSatisfy(\.ok)
  }

  var text: String {
    let width = (checks.map(\.name.count).max() ?? 0) + 2
    let sections = Group.allCases.map { group in
      let lines = checks.filter { $0.group == group }.map {
        "  \($0.mark)  \($0.name.padded(to: width))\($0.detail)"
      }
      return (["\(group.title):"] + lines).joined(separator: "\n")
    }
    let verdict = ok ? "This machine can run the pipeline." : "Something is missing: see above."
    return (sections + [verdict]).joined(separator: "\n\n") + "\n"
  }
}

extension Examination.Check {
  fileprivate init(_ group: Examination.Group, _ name: String, _ look: () throws -> String) {
    (self.group, self.name) = (group, name)
    do {
      (ok, detail) = (true, try look())
    } catch {
      (ok, detail) = (false, "\(error)")
    }
  }
}

extension Examination {
  /// Transforms a point as for a chart, which fails if PROJ's database is missing.
  private static func projectPoint() throws -> String {
    let error = try CoordinateTransform.lambertSample()
    guard error < 0.001 else {
      throw UserError(
        .failed, operation: "projecting a known point", reason: "PROJ \(projVersion()) is off by \(error) m",
        suggestion: "Install PROJ's own data (proj-data), and unset PROJ_LIB and PROJ_DATA.")
    }
    return "PROJ \(projVersion()), exact"
  }

  /// Uses the SQLite extensions that the databases need.
  private static func useDatabase() throws -> String {
    let database = try SQLiteConnection(":memory:", mode: .create)
    try database.execute("CREATE VIRTUAL TABLE r USING rtree(id, a, b)")
    try database.execute("CREATE VIRTUAL TABLE f USING fts5(text)")
    try database.execute("SELECT cos(0)")
    try database.close()
    return "with R-tree, FTS5 and mathematics"
  }

  /// Creates and deletes a file in the work folder, or in the folder in which a run would create it. It takes no lock, since a run may
  /// be using the folder.
  private static func writeFile(_ workspace: Workspace) throws -> String {
    var folder = workspace.root
    while folder.kindOnDisk == nil, folder.path != "/" { folder.deleteLastPathComponent() }
    let trial = folder.appending(path: ".trial-\(UUID().uuidString)")
    try UserError.wrapping(
      "trying the work folder", workspace.root.path, suggestion: "Name another folder with --work."
    ) {
      try Data("trial".utf8).write(to: trial)
      try FileManager.default.removeItem(at: trial)
    }
    let space = DiskSpace(folder).free.map(Counts.bytes) ?? "an unknown amount"
    let state = folder == workspace.root ? "is writable" : "can be created"
    return "\(workspace.root.path) \(state), \(space) free"
  }

  /// A check of each definition in the folder.
  private static func definitions(in folder: URL) -> [Check] {
    let library = PipelineLibrary(folder: folder)
    guard !library.names.isEmpty else {
      return [
        Check(.definitions, "pipelines") {
          throw UserError(
            .failed, operation: "looking for definitions in", path: folder.path,
            reason: "it has no definitions",
            suggestion: "Change to the root of the repository, or name the folder with --pipelines.")
        }
      ]
    }
    return library.names.map { name in
      Check(.definitions, name) { Counts.of(try library.definition(name).items.count, "product") }
    }
  }
}
