internal import Core

/// Maps MBTiles' rows to PMTiles: values with a header field go there, and all other rows go into the JSON.
///
/// `bounds` and `center` are in both. The header rounds them to a centimetre; the JSON keeps the digits, so that converting
/// back gives the same archive. The object in MBTiles' row `json` is spread over the JSON's top level, where readers of PMTiles
/// expect `vector_layers`.
enum PMTilesMetadata {
  private static let ofHeader = ["format", "minzoom", "maxzoom"]
  private static let jsonRow = "json"
  /// The members that belong to the row `json`.
  private static let ofJSON = ["vector_layers", "tilestats"]

  static func json(_ rows: [String: String]) throws -> [UInt8] {
    var members = rows.filter { !ofHeader.contains($0.key) }.mapValues { JSONValue.string($0) }
    if let spread = rows[jsonRow].flatMap({ JSONValue.members(of: $0.utf8) }) {
      members[jsonRow] = nil
      members.merge(spread.filter { !ofHeader.contains($0.key) }) { row, _ in row }
    }
    return Array(try CanonicalJSON.line(members))
  }

  /// Other values than strings are returned as JSON.
  static func rows(_ json: [UInt8]) throws -> [String: String] {
    guard var members = JSONValue.members(of: json) else {
      throw ArchiveDefect("its metadata is not a JSON object")
    }
    var collected = members[jsonRow]?.text.flatMap { JSONValue.members(of: $0.utf8) } ?? [:]
    for key in ofJSON { collected[key] = members.removeValue(forKey: key) ?? collected[key] }
    if !collected.isEmpty { members[jsonRow] = .string(try JSONValue.line(collected)) }
    return members.compactMapValues(\.text)
  }

  static func merged(_ rows: [String: String], _ header: PMTilesHeader) -> [String: String] {
    var rows = rows
    rows["minzoom"] = "\(header.minZoom)"
    rows["maxzoom"] = "\(header.maxZoom)"
    if header.tileType != .unknown {
      rows["format"] = header.tileType.format?.rawValue ?? "\(header.tileType)"
    }
    let (low, high, center) = (header.southWest, header.northEast, header.center)
    // Some programs leave the bounds out.
    guard low != high else { return rows }
    let bounds = [low.longitude, low.latitude, high.longitude, high.latitude]
    if !isSame(rows["bounds"], bounds) { rows["bounds"] = bounds.map(text).joined(separator: ",") }
    if !isSame(rows["center"], [center.longitude, center.latitude], zoom: header.centerZoom) {
      rows["center"] = "\(text(center.longitude)),\(text(center.latitude)),\(header.centerZoom)"
    }
    return rows
  }

  /// Whether a row contains the header's numbers with more digits. Map views use the header.
  private static func isSame(_ row: String?, _ angles: [Int32], zoom: UInt8? = nil) -> Bool {
    guard let numbers = row.flatMap({ degrees($0) }), numbers.count == angles.count + (zoom == nil ? 0 : 1),
      zip(numbers, angles).allSatisfy({ tenMillionths($0) == $1 })
    else { return false }
    return zoom.map { Double($0) == numbers.last } ?? true
  }

  /// Nil if the number is not an angle.
  static func tenMillionths(_ degrees: Double) -> Int32? {
    Int32(exactly: (degrees * 10_000_000).rounded())
  }

  private static func text(_ angle: Int32) -> String { decimal(Double(angle) / 10_000_000) }
}

extension PMTilesHeader.TileType {
  init(_ format: TileEncoding) {
    self =
      switch format {
      case .png: .png
      case .jpg: .jpeg
      case .webp: .webp
      case .pbf: .mvt
      }
  }

  /// Nil if the header does not state it, or if the format is not supported.
  var format: TileEncoding? { TileEncoding.allCases.first { PMTilesHeader.TileType($0) == self } }
}
