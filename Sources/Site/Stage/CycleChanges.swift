internal import Aero
internal import Core
internal import Foundation
internal import Pipeline
internal import Validation

/// What changed in the databases of a cycle since the last one that is known.
struct CycleChanges {
  struct Change {
    let product: Product
    let difference: Result<DatabaseDifference, any Error>

    var digest: ChangeDigest {
      switch difference {
      case .success(let difference): ChangeDigest(difference)
      case .failure(let error): ChangeDigest(failure: (error as? UserError)?.reason ?? "\(error)")
      }
    }
  }

  /// - Parameter earlier: the latest cycle's first.
  /// - Returns: of each database that has an earlier self, by id. One that cannot be compared stops nothing.
  static func of(_ products: [PlacedProduct], against earlier: [PlacedProduct]) throws -> [Change] {
    try products.filter { $0.product.kind == .database }.compactMap { new in
      try CancellationToken.current.check()
      let same = earlier.filter { $0.product.id == new.product.id }
      let old = same.first { $0.product.cycle < new.product.cycle } ?? same.first
      guard let old = old.flatMap(database), let new = database(new).map({ (product: new.product, file: $0) })
      else { return nil }
      return Change(product: new.product, difference: try compare(old, with: new.file))
    }
  }

  private static func compare(_ old: URL, with new: URL) throws -> Result<DatabaseDifference, any Error> {
    do {
      return .success(try DatabaseComparison.compare(old, with: new))
    } catch let cancelled as CancellationError {
      throw cancelled
    } catch {
      return .failure(error)
    }
  }

  /// Relative to its folder, so that the comparison names it in the same way wherever that lies.
  private static func database(_ placed: PlacedProduct) -> URL? {
    placed.product.files.first { $0.role == "database" }.map {
      URL(filePath: $0.path, relativeTo: URL(filePath: placed.folder.path, directoryHint: .isDirectory))
    }
  }
}
