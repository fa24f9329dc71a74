internal import CryptoIO
internal import Foundation

/// `index.html`: a map of what a site publishes, and a list of its downloads.
///
/// The page is the same for all sites: it reads `catalog.json` beside it. It is one file that needs no other resource, so the style
/// and the modules of `Map/` and `Page/` are put into it.
enum SitePage {
  static let path = "index.html"

  /// The modules, each after those that it imports: concatenation is the whole linking.
  private static let modules = [
    PackageResources.elements_js, PackageResources.mercator_js, PackageResources.home_box_js,
    PackageResources.paths_js, PackageResources.feature_layer_js, PackageResources.taken_places_js,
    PackageResources.tile_cache_js,
    PackageResources.raster_layer_js, PackageResources.vector_style_js, PackageResources.outline_layer_js,
    PackageResources.graticule_layer_js, PackageResources.scale_layer_js, PackageResources.mark_layer_js,
    PackageResources.gestures_js,
    PackageResources.map_js, PackageResources.pmtiles_js, PackageResources.mvt_js,
    PackageResources.vector_layer_js, PackageResources.catalogue_js, PackageResources.preview_js,
    PackageResources.layers_js, PackageResources.airport_list_js,
    PackageResources.swipe_js, PackageResources.airport_card_js, PackageResources.live_js,
    PackageResources.live_view_js,
    PackageResources.downloads_js, PackageResources.recipes_js, PackageResources.main_js,
  ]

  private static let script = modules.map { unlinked(text($0)) }.joined(separator: "\n")

  /// The Content-Security-Policy. A browser runs this script only: markup that got into the page could not add another.
  static var policy: String {
    get throws {
      "default-src 'none'; script-src 'sha256-\(try hash(of: "\n" + script))'; style-src 'unsafe-inline'; "
        + "connect-src 'self'; img-src 'self' blob: data:; base-uri 'none'; form-action 'none'"
    }
  }

  static var data: Data { get throws { try page.get() } }

  /// Made once, since each staging and publication needs it.
  private static let page = Result {
    let page = text(PackageResources.page_html)
      .replacing("{{policy}}", with: try policy)
      .replacing("{{style}}", with: text(PackageResources.page_css))
      .replacing("{{script}}", with: script)
    return Data(page.utf8)
  }

  /// Removes what only separate modules need. By convention an `import` is one line, `export` begins a line, and all names of the top
  /// level are unique over the modules.
  static func unlinked(_ module: String) -> String {
    module.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("import ") }
      .map { $0.hasPrefix("export ") ? $0.dropFirst("export ".count) : $0 }
      .joined(separator: "\n")
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// The SHA-256 as a policy names it, in Base64.
  private static func hash(of script: String) throws -> String {
    let digest = try Digest(.sha256)
    try digest.update(script)
    return Data(try digest.finish()).base64EncodedString()
  }
}
