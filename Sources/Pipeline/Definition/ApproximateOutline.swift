public import Core

/// The rough outline of a chart whose archive is not available, from the edges of its neatline. It is for overviews only.
public enum ApproximateOutline {
  /// Returns the corners in degrees; nil if an edge is known in pixels only.
  ///
  /// - Parameter edges: a ring in anticlockwise order, in the notation of definition files.
  public static func corners(_ edges: [(kind: String, values: [Double])]) -> [GeoPoint]? {
    guard edges.count >= 3 else { return nil }
    var corners: [GeoPoint] = []
    for (edge, next) in zip(edges, edges.dropFirst() + edges.prefix(1)) {
      let places = [points(edge).last, points(next).first].compactMap(\.self)
      guard let longitude = longitude(edge) ?? longitude(next) ?? places.first?.longitude,
        let latitude = latitude(edge) ?? latitude(next) ?? places.first?.latitude
      else { return nil }
      corners.append(GeoPoint(longitude: longitude, latitude: latitude))
    }
    return corners
  }

  private static func longitude(_ edge: (kind: String, values: [Double])) -> Double? {
    ["meridian", "columnThrough"].contains(edge.kind) ? edge.values.first : nil
  }

  private static func latitude(_ edge: (kind: String, values: [Double])) -> Double? {
    edge.kind == "parallel" ? edge.values.first : edge.kind == "rowThrough" ? edge.values.last : nil
  }

  private static func points(_ edge: (kind: String, values: [Double])) -> [GeoPoint] {
    stride(from: 0, to: edge.values.count - 1, by: 2).map {
      GeoPoint(longitude: edge.values[$0], latitude: edge.values[$0 + 1])
    }
  }
}

extension Product {
  /// The rough outline of a chart, for overviews, as a ring of longitudes and latitudes. Nil if it is not known, and for a mosaic.
  public var approximateOutline: [[Double]]? {
    guard let cut else { return nil }
    if let corners = ApproximateOutline.corners(cut.edges.map({ ($0.kind, $0.values) })) {
      return corners.map { [$0.longitude, $0.latitude] }
    }
    guard boundingBoxes == nil, let box = boundingBox else { return nil }
    return [[box.west, box.south], [box.east, box.south], [box.east, box.north], [box.west, box.north]]
  }
}

extension ChartDefinition {
  /// The rough outline of the chart, for overviews, as a ring of longitudes and latitudes. Nil without edges in degrees.
  public var approximateOutline: [[Double]]? {
    neatline.flatMap { ApproximateOutline.corners($0.outline.map(\.notation)) }?
      .map { [$0.longitude, $0.latitude] }
  }
}
