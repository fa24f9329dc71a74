internal import Core
internal import Foundation
internal import Pipeline
internal import SQLiteIO
internal import TileArchive

/// A rule about the database that an MBTiles archive is.
protocol MBTilesRule: Rule {
  func check(_ archive: ArchiveUnderTest, _ database: SQLiteConnection) throws -> [Finding]
}

/// A rule about the file that a PMTiles archive is.
protocol PMTilesRule: Rule {
  func check(_ archive: ArchiveUnderTest, _ file: PMTilesReader) throws -> [Finding]
}

/// A rule about a tile archive as a whole, whatever its format.
protocol ArchiveRule: Rule {
  func check(_ archive: ArchiveUnderTest) throws -> [Finding]
}

/// A rule about each tile of an archive. The tiles are read and decoded once, and shown to the visitors of all such rules.
protocol TileRule: Rule {
  func visitor(of archive: ArchiveUnderTest) throws -> any TileVisitor
}

/// What a tile rule remembers while the tiles pass, ordered by zoom, column, and row from the south.
protocol TileVisitor {
  mutating func visit(_ tile: SeenTile) throws
  /// Called once, after the last tile.
  mutating func finish() throws -> [Finding]
}

/// A rule about an app database.
protocol DatabaseRule: Rule {
  func check(_ database: DatabaseUnderTest) throws -> [Finding]
}

/// A rule about a product's description beside its files.
protocol ProductRule: Rule {
  func check(_ product: ProductUnderTest) throws -> [Finding]
}

/// A rule about products beside each other, or beside those of an earlier cycle.
protocol CycleRule: Rule {
  func check(_ cycle: CycleUnderTest) throws -> [Finding]
}

/// What nobody can open cannot be checked by any other rule.
struct Readable: Rule {
  let name = "readable"
  let protects = "An app never downloads a file that it cannot open."
}

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
