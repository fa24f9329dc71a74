/// Wind, visibility, clouds and their category, of an observation or of a group of a forecast.
struct Conditions {
  let wind: (direction: Int?, isVariable: Bool, speed: Int?, gust: Int?)
  let visibility: Visibility?
  let layers: [SkyLayer]

  /// - Parameter text: of a METAR. What its columns lack or lose comes from it.
  init(_ row: WeatherElement, _ text: METARText? = nil) {
    let isVariable = text?.isWindVariable == true || row["wind_dir_degrees"] == "VRB"
    wind = (
      isVariable ? nil : row.integer(["wind_dir_degrees"], 0...360) ?? text?.windDirection, isVariable,
      row.integer(["wind_speed_kt"], 0...400) ?? text?.windSpeed,
      row.integer(["wind_gust_kt"], 0...400) ?? text?.windGust
    )
    // The publisher has none for a visibility that was not measured in all directions (NDV).
    let miles = "visibility_statute_mi"
    var visibility = row[miles].flatMap { Visibility(column: $0) ?? row.misread(miles) }
    if text?.visibility?.bound == .less { visibility?.bound = .less }
    self.visibility = visibility
    let height = row.integer(["vert_vis_ft"], 0...100_000)
    let columns = row.all("sky_condition").map { layer in
      let cover = layer["sky_cover"] ?? ""
      return SkyLayer(
        cover: cover.isEmpty || SkyLayer.words.contains(cover) ? cover : layer.misread("sky_cover") ?? "",
        base: layer.integer(["cloud_base_ft_agl"], 0...100_000) ?? (cover == "OVX" ? height : nil),
        type: layer["cloud_type"].flatMap { ["CB", "TCU", "CU"].contains($0) ? $0 : nil })
    }
    // The columns have at most four layers, none without a height, and no height of zero.
    layers = text.flatMap { $0.layers.count >= columns.count ? $0.layers : nil } ?? columns
  }

  /// Feet above ground of the lowest layer of clouds that is a ceiling.
  var ceiling: Int? { layers.filter(\.isCeiling).compactMap(\.base).min() }
  /// Feet into an obscured sky.
  var verticalVisibility: Int? { layers.first { $0.cover == "OVX" }?.base }

  /// `LIFR`, `IFR`, `MVFR`, `VFR`; nil if the visibility or the sky is not known.
  var category: String? {
    guard let miles = visibility?.miles,
      layers.contains(where: { $0.base != nil || $0.isClear || $0.cover == "OVX" }),
      !layers.contains(where: { $0.cover.isEmpty })
    else { return nil }
    let height = ceiling ?? .max
    if miles < 1 || height < 500 { return "LIFR" }
    // Layers are in the order of their heights: a ceiling of unknown height can be a low one.
    let unknown = layers.firstIndex { $0.isCeiling && $0.base == nil }
    if let unknown, (layers[..<unknown].compactMap(\.base).max() ?? 0) <= 3000 { return nil }
    if miles < 3 || height < 1000 { return "IFR" }
    return miles <= 5 || height <= 3000 ? "MVFR" : "VFR"
  }

  /// The layers as JSON, the lowest first as reported: `[{"cover":"BKN","base":3000}]`.
  var sky: String? {
    let objects = layers.map { layer in
      #"{"cover":"\#(layer.cover)""# + (layer.base.map { #","base":\#($0)"# } ?? "")
        + (layer.type.map { #","type":"\#($0)""# } ?? "") + "}"
    }
    return objects.isEmpty ? nil : "[\(objects.joined(separator: ","))]"
  }
}
