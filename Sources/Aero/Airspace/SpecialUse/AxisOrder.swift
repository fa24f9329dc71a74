/// In which order positions are written, by the name of their reference system.
enum AxisOrder {
  case longitudeFirst
  case latitudeFirst

  /// Nil for a system that is not understood. WGS84 and NAD83 are a metre or two apart, and count as one.
  init?(srsName name: String) {
    let parts = name.uppercased().split(whereSeparator: { ":/#".contains($0) })
    switch parts.last {
    case "CRS84", "CRS83": self = .longitudeFirst
    case "84" where parts.first == "CRS": self = .longitudeFirst
    case "4326" where parts.contains("EPSG"), "4269" where parts.contains("EPSG"): self = .latitudeFirst
    default: return nil
    }
  }
}
