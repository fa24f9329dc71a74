public import Foundation

/// The MapLibre style of the exports' vector tiles, which looks like an aeronautical chart.
public enum VectorTileStyle {
  /// Returns the layers of the style as a JSON array, from bottom to top.
  ///
  /// They need no sprite. Layers with text use the font `Noto Sans Regular`, which a style names with `glyphs`.
  ///
  /// - Parameters:
  ///   - aviation: The name of the style's source with the tiles of `aviation.sqlite`; nil without such tiles.
  ///   - obstacles: The name of the source with the tiles of `obstacles.sqlite`; nil without such tiles.
  ///   - hasGlyphs: Whether the style has glyphs. Without them the layers with text are left out.
  public static func layers(aviation: String?, obstacles: String?, hasGlyphs: Bool) throws -> Data {
    let names = ["aviation": aviation, "obstacles": obstacles]
    let parsed = try JSONSerialization.jsonObject(with: Data(PackageResources.chart_style_json))
    let layers = (parsed as? [[String: Any]] ?? []).compactMap { layer -> [String: Any]? in
      guard let source = layer["source"] as? String, let name = names[source].flatMap(\.self),
        hasGlyphs || layer["type"] as? String != "symbol"
      else { return nil }
      return layer.merging(["source": name]) { $1 }
    }
    return try JSONSerialization.data(
      withJSONObject: layers, options: [.sortedKeys, .withoutEscapingSlashes])
  }
}
