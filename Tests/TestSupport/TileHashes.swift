public import ChartpipeKit

extension TileSource {
  /// Computed from the tiles, not read from the metadata.
  public func aggregateHash() throws -> String {
    let hash = try TileHash()
    try forEachStored { try hash.update($0) }
    return try hash.finish()
  }
}
