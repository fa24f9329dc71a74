internal import Core
internal import CryptoIO
internal import Foundation
internal import ImageIO

/// An archive that an earlier run joined, and the record of its tiles. Both must be unchanged since then.
public struct EarlierJoin: Sendable {
  let archive: URL
  let record: URL
}

/// Records how the tiles of a joined archive were made. If some charts change, the next join copies all tiles whose key is the
/// same from the earlier archive.
///
/// Only tiles of several charts have a key. The file is text: a line with the form, then a line with zoom, column, row and key of
/// each tile in the order of the archive. The same charts give the same record, whether or not an earlier one was used.
struct JoinRecord: Equatable, Sendable {
  /// The hash of everything besides the charts that can change a joined tile.
  let form: String
  /// Hashes of the images and outlines from which a tile is joined.
  var keys: [TileID: String] = [:]

  init(form: String) { self.form = form }

  /// Nil for a file of another form or version; its tiles are joined again.
  init?(contentsOf file: URL, form: String) {
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"))
    guard let first = lines.first, first.elementsEqual(form.utf8) else { return nil }
    self.form = form
    for line in lines.dropFirst() {
      let fields = line.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
      let numbers = fields.prefix(3).compactMap { Int($0) }
      guard fields.count == 4, numbers.count == 3 else { return nil }
      keys[TileID(zoom: numbers[0], column: numbers[1], row: numbers[2])] = fields[3]
    }
  }

  var data: Data {
    var text = form + "\n"
    for tile in keys.keys.inArchiveOrder {
      text += "\(tile.zoom) \(tile.column) \(tile.row) \(keys[tile] ?? "")\n"
    }
    return Data(text.utf8)
  }
}

extension ArchiveJoiner {
  private struct Form: Encodable {
    let tool = ToolVersion.tool
    let version = ToolVersion.version
    let libraries: [String: String]
    let settings: TileSettings
  }

  /// The form of the record of this join.
  func form() throws -> String {
    let libraries = ImageLibraries.versions.merging(SystemLibraries.versions) { own, _ in own }
    let form = Form(libraries: libraries, settings: settings)
    return try SHA256Hex(of: Array(CanonicalJSON.line(form))).text
  }

  /// The key of a tile that these archives have; nil if the name of an image is unknown.
  func key(of id: TileID, owners: [Int]) throws -> String? {
    var text = ""
    for owner in owners {
      guard let name = packs[owner].names[id] else { return nil }
      text += "\(packs[owner].rank) \(packs[owner].shape.digest) \(name)\n"
    }
    return try TileHash.identifier(of: Array(text.utf8))
  }
}
