/// The modules of the map, which the page of a site and the preview share. Each comes after those that it imports.
public enum MapModule: String, CaseIterable, Sendable {
  case elements = "elements.js"
  case mercator = "mercator.js"
  case homeBox = "home-box.js"
  case paths = "paths.js"
  case takenPlaces = "taken-places.js"
  case tileCache = "tile-cache.js"
  case rasterLayer = "raster-layer.js"
  case vectorStyle = "vector-style.js"
  case outlineLayer = "outline-layer.js"
  case graticuleLayer = "graticule-layer.js"
  case scaleLayer = "scale-layer.js"
  case gestures = "gestures.js"
  case map = "map.js"

  public var bytes: [UInt8] {
    switch self {
    case .elements: PackageResources.elements_js
    case .mercator: PackageResources.mercator_js
    case .homeBox: PackageResources.home_box_js
    case .paths: PackageResources.paths_js
    case .takenPlaces: PackageResources.taken_places_js
    case .tileCache: PackageResources.tile_cache_js
    case .rasterLayer: PackageResources.raster_layer_js
    case .vectorStyle: PackageResources.vector_style_js
    case .outlineLayer: PackageResources.outline_layer_js
    case .graticuleLayer: PackageResources.graticule_layer_js
    case .scaleLayer: PackageResources.scale_layer_js
    case .gestures: PackageResources.gestures_js
    case .map: PackageResources.map_js
    }
  }
}
