internal import Core

/// The addresses of the server. No part of an address becomes a path of the file system.
enum Route: Equatable, Sendable {
  /// `index.html`, which is also the root.
  case page
  /// `catalog.json`, with what the page needs for a preview.
  case catalogue
  /// A tile of an archive, which has the path of the catalogue.
  case tile(archive: String, TileID)
  /// Any other path. Only those of the site's files have an answer.
  case file(path: String)

  init(_ target: Target) {
    let path = target.path
    switch path {
    case [""], ["index.html"]: self = .page
    case ["catalog.json"]: self = .catalogue
    default:
      if path.count >= 5, path[0] == "tiles", let tile = TileID(path.suffix(3)) {
        self = .tile(archive: path[1..<path.count - 3].joined(separator: "/"), tile)
      } else {
        self = .file(path: path.joined(separator: "/"))
      }
    }
  }
}

extension TileID {
  /// Parses zoom, column and row; nil where they are not a tile.
  init?(_ texts: ArraySlice<String>) {
    let numbers = texts.compactMap { text in text.utf8.count <= 9 ? Int(text) : nil }
    guard numbers.count == 3, (0...24).contains(numbers[0]) else { return nil }
    let side = 0..<(1 << numbers[0])
    guard side.contains(numbers[1]), side.contains(numbers[2]) else { return nil }
    self.init(zoom: numbers[0], column: numbers[1], row: numbers[2])
  }
}
