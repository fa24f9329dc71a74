internal import Foundation
internal import Pipeline
internal import TileArchive

/// A product's tiles in two formats. That a file's tiles are those of its own hash is the affair of `tile-hash`, so here
/// the words of both are enough.
struct ProductArchives: ProductRule {
  let name = "product-archives"
  let protects = "Who streams a chart sees the same one as who downloads it."

  func check(_ subject: ProductUnderTest) throws -> [Finding] {
    guard let tiles = subject.file(role: "tiles"), let streamed = subject.file(role: "pmtiles") else {
      return []
    }
    let one = try MBTilesReader(opening: tiles).metadata()
    let other = try PMTilesReader(opening: streamed).metadata()
    let differing = Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }
    return differing.sorted().map {
      error(subject.place, "`\($0)` is not the same in its MBTiles and its PMTiles")
    }
  }
}
