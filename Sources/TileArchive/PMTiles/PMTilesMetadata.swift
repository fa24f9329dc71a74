internal import Core
internal import Foundation
internal import Pipeline

/// Maps MBTiles' rows to PMTiles: values with a header field go there, and all text rows go into the JSON.
///
/// `bounds` and `center` are in both. The header rounds them to a centimetre; the JSON keeps the digits, so that converting
/// back gives the same archive.
enum PMTilesMetadata {
  private static let ofHeader = ["format", "minzoom", "maxzoom"]

  static func json(_ rows: [String: String]) throws -> [UInt8] {
    Array(try CanonicalJSON.line(rows.filter { !ofHeader.contains($0.key) }))
  }

  /// Metadata of other origin may contain numbers and lists, which are returned as JSON text.
  static func rows(_ json: [UInt8]) throws -> [String: String] {
    guard let object = try? JSONSerialization.jsonObject(with: Data(json)) as? [String: Any] else {
      throw ArchiveDefect("its metadata is not a JSON object")
    }
    return object.compactMapValues { value in
      if let text = value as? String { return text }
      let options: JSONSerialization.WritingOptions = [
        .fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes,
      ]
      let data = try? JSONSerialization.data(withJSONObject: value, options: options)
      return data.map { String(decoding: $0, as: UTF8.self) }
    }
  }

  static func merged(_ rows: [String: String], _ header: PMTilesHeader) -> [String: String] {
    var rows = rows
    rows["minzoom"] = "\(header.minZoom)"
    rows["maxzoom"] = "\(header.maxZoom)"
    rows["format"] = header.tileType.format
    let (low, high) = (header.southWest, header.northEast)
    if !isSame(rows["bounds"], [low.longitude, low.latitude, high.longitude, high.latitude]) {
      let angles = [low.longitude, low.latitude, high.longitude, high.latitude]
      rows["bounds"] = angles.map(degrees).joined(separator: ",")
    }
    if !isSame(rows["center"], [header.center.longitude, header.center.latitude]) {
      rows["center"] =
        "\(degrees(header.center.longitude)),\(degrees(header.center.latitude)),\(header.centerZoom)"
    }
    return rows
  }

  /// Whether a row contains the header's numbers with more digits. Map views use the header.
  private static func isSame(_ row: String?, _ angles: [Int32]) -> Bool {
    let numbers = row?.split(separator: ",").map { Double($0).flatMap(tenMillionths) } ?? []
    return numbers.count >= angles.count && zip(numbers, angles).allSatisfy { $0 == $1 }
  }

  /// Nil if the number is not an angle.
  static func tenMillionths(_ degrees: Double) -> Int32? {
    Int32(exactly: (degrees * 10_000_000).rounded())
  }

  private static func degrees(_ angle: Int32) -> String { decimal(Double(angle) / 10_000_000) }
}

extension PMTilesHeader.TileType {
  init(format: String) {
    switch format {
    case "png": self = .png
    case "jpg", "jpeg": self = .jpeg
    case "webp": self = .webp
    default: self = .unknown
    }
  }

  /// The format's name in MBTiles.
  var format: String {
    switch self {
    case .jpeg: "jpg"
    case .mvt: "pbf"
    case .unknown, .png, .webp, .avif, .mlt: "\(self)"
    }
  }
}
