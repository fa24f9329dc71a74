internal import Core

/// Another form of a family's tiles, which is chosen when they are built and needs no definition of its own.
///
/// A variant is a family with a name of its own, so its products, files and steps never meet those of the standard form:
/// `vfr-sectional-webp/Seattle` beside `vfr-sectional/Seattle`.
public enum ChartVariant: String, CaseIterable, Sendable {
  /// As the definition says.
  case standard
  /// 512 px as lossy WebP.
  case webpDouble = "webp-2x"
  /// Lossy WebP: fewer bytes.
  case webp
  /// 512 px up to one zoom less, which shows the same pixels in a quarter of the tiles.
  case double = "2x"

  /// What it adds to the family's name.
  var ending: String? { self == .standard ? nil : "-" + rawValue }

  fileprivate var isWebP: Bool { self == .webp || self == .webpDouble }
  fileprivate var isDouble: Bool { self == .double || self == .webpDouble }

  fileprivate var words: String {
    [isWebP ? "WebP" : nil, isDouble ? "512 px" : nil].compactMap(\.self).joined(separator: ", ")
  }
}

extension PipelineDefinition {
  /// The definition in another form; nil for what has no tiles.
  public func variant(_ variant: ChartVariant) throws -> PipelineDefinition? {
    guard case .charts(let family) = content else { return nil }
    return PipelineDefinition(content: .charts(try family.variant(variant)))
  }
}

extension ChartFamily {
  fileprivate func variant(_ variant: ChartVariant) throws -> ChartFamily {
    guard let ending = variant.ending else { return self }
    if let problem = obstacle(to: variant) {
      throw UserError(
        .badCall, operation: "choosing a variant", path: name, reason: problem,
        suggestion: "Build it without --variant \(variant.rawValue).")
    }
    var family = self
    family.standardName = name
    family.name = name + ending
    family.title = "\(title) (\(variant.words))"
    if variant.isWebP { family.tiles.format = .webp }
    guard variant.isDouble else { return family }
    family.tiles.size = 512
    family.tiles.maxZoom -= 1
    family.charts = charts.map { chart in
      var chart = chart
      chart.maxZoom = chart.maxZoom.map { $0 - 1 }
      return chart
    }
    return family
  }

  private func obstacle(to variant: ChartVariant) -> String? {
    if variant.isWebP, tiles.format == .webp { return "its tiles are WebP already" }
    guard variant.isDouble else { return nil }
    if tiles.size == 512 { return "its tiles have 512 px already" }
    let isFlat = ([tiles] + charts.map(tiles(for:))).contains { $0.minZoom == $0.maxZoom }
    return isFlat ? "it has charts of a single zoom" : nil
  }
}
