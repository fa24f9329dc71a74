internal import Core
public import Foundation
internal import SQLiteIO

/// Finds the database for a path: the file itself, its product description, or a build folder.
public enum DatabaseFile {
  private static let wanted =
    "Give an aviation.sqlite, obstacles.sqlite or procedures.sqlite, its .product.json, or the build folder that holds them."

  public static func find(_ path: URL) throws -> URL {
    guard let kind = path.kindOnDisk else {
      throw fault(.badCall, path, "there is no such file or folder", wanted)
    }
    if kind == .folder { return try find(inFolder: path) }
    if path.lastPathComponent.hasSuffix(".json") { return try find(ofProduct: path) }
    try check(path)
    return path
  }

  static func unreadable(_ file: URL, _ error: any Error) -> any Error {
    guard let error = error as? SQLiteError else { return error }
    return UserError(
      .badInput, operation: "reading the database", path: file.relativePath, reason: error.message,
      suggestion: "The file is damaged or has another format: run `chartpipe validate` for details.",
      causes: [error])
  }

  /// Prefers the database of airports to the others.
  private static func find(inFolder folder: URL) throws -> URL {
    let walk = FileManager.default.enumerator(atPath: folder.path)
    let names = (walk?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".sqlite") }.sorted()
    let kinds = Dictionary(grouping: names) { kind(of: folder.appending(path: $0)) }
    let databases = [Kind.aviation, .obstacles, .procedures].compactMap { kinds[$0] }.first ?? []
    guard let name = databases.first else {
      throw fault(.badInput, folder, "this folder holds none", wanted)
    }
    guard databases.count == 1 else {
      throw fault(
        .badCall, folder, "there are several: \(databases.joined(separator: ", "))", "Name one of them.")
    }
    return folder.appending(path: name)
  }

  private static func find(ofProduct file: URL) throws -> URL {
    let product = try explaining({ fault(.badInput, file, "it is no description of a product", wanted, [$0]) }
    ) { try Product(describedBy: file) }
    let files = product.files.map { file.deletingLastPathComponent().appending(path: $0.path) }
    guard product.kind == .database, let database = files.first(where: { $0.pathExtension == "sqlite" })
    else {
      throw fault(.badCall, file, "the product \(product.id) is no database", wanted)
    }
    try check(database)
    return database
  }

  /// Throws when the files are databases of different kinds.
  static func checkAlike(_ old: URL, _ new: URL) throws {
    let kinds = [old, new].compactMap(kind)
    guard kinds.count == 2, kinds[0] != kinds[1], kinds.allSatisfy({ $0.words != nil }) else { return }
    throw UserError(
      .badCall, operation: "comparing", path: "\(old.relativePath) and \(new.relativePath)",
      reason: "one is a database of \(kinds[0].words ?? "") and the other of \(kinds[1].words ?? "")",
      suggestion: "Give two databases of one kind.")
  }

  /// Whether a file is a database of coded procedures.
  static func isOfProcedures(_ file: URL) -> Bool { kind(of: file) == .procedures }

  private static func check(_ file: URL) throws {
    switch kind(of: file) {
    case .aviation, .obstacles, .procedures: return
    case .tiles: throw fault(.badCall, file, "it is a tile archive", wanted)
    case .otherDatabase: throw fault(.badCall, file, "it is a database of another kind", wanted)
    case nil: throw fault(.badInput, file, "it is no SQLite database", wanted)
    }
  }

  private enum Kind {
    case aviation, obstacles, procedures, tiles, otherDatabase

    /// Of what it is a database; nil for another file.
    var words: String? {
      switch self {
      case .aviation: "airports"
      case .obstacles: "obstacles"
      case .procedures: "procedures"
      case .tiles, .otherDatabase: nil
      }
    }
  }

  /// Reads the application id in the header of the file.
  private static func kind(of file: URL) -> Kind? {
    guard let head = try? file.firstBytes(100) else { return nil }
    if head.starts(with: "PMTiles".utf8) { return .tiles }
    guard head.count == 100, head.starts(with: "SQLite format 3\0".utf8) else { return nil }
    switch head[68..<72].reduce(0, { $0 << 8 | Int($1) }) {
    case DatabaseSchema.applicationID: return .aviation
    case ObstacleSchema.applicationID: return .obstacles
    case ProcedureSchema.applicationID: return .procedures
    case MBTilesFile.applicationID: return .tiles
    default: return .otherDatabase
    }
  }

  private static func fault(
    _ kind: UserError.Kind, _ path: URL, _ problem: String, _ remedy: String, _ causes: [any Error] = []
  ) -> UserError {
    UserError(
      kind, operation: "looking for the database in", path: path.relativePath, reason: problem,
      suggestion: remedy, causes: causes)
  }
}
