extension String {
  /// The pipeline in the id of a product: `vfr-sectional` of `vfr-sectional/San_Francisco`.
  public var pipelineOfID: String { String(prefix { $0 != "/" }) }

  /// The item in the id of a product: `San_Francisco`.
  public var itemOfID: String { contains("/") ? String(drop { $0 != "/" }.dropFirst()) : self }
}

/// The name of a chart as a region, with what the region's id adds to the chart's: `San Francisco TAC`.
///
/// - Parameter item: The chart's id without its family: `San_Francisco`
public func regionName(_ name: String, item: String, region: String) -> String {
  guard region.hasPrefix(item) else { return name }
  let suffix = region.dropFirst(item.count).replacing("_", with: " ")
  let words = suffix.drop { $0 == " " }
  return words.isEmpty || name.contains(words) ? name : name + suffix
}
