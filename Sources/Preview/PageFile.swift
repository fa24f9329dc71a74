internal import CryptoIO

/// The files of the page, embedded in the program.
enum PageFile: String, CaseIterable, Sendable {
  case page = "index.html"
  case style = "preview.css"
  case main = "main.js"
  case words = "words.js"
  case place = "place.js"
  case pathLayer = "path-layer.js"
  case charts = "charts.js"
  case chartList = "chart-list.js"
  case airports = "airports.js"
  case airportDots = "airport-dots.js"
  case airportCard = "airport-card.js"
  case airspace = "airspace.js"
  case swipe = "swipe.js"
  case search = "search.js"

  static let scriptType = "text/javascript; charset=utf-8"

  var type: String {
    switch self {
    case .page: "text/html; charset=utf-8"
    case .style: "text/css; charset=utf-8"
    default: PageFile.scriptType
    }
  }

  var bytes: [UInt8] {
    switch self {
    case .page: PackageResources.index_html
    case .style: PackageResources.preview_css
    case .main: PackageResources.preview_main_js
    case .words: PackageResources.words_js
    case .place: PackageResources.place_js
    case .pathLayer: PackageResources.path_layer_js
    case .charts: PackageResources.charts_js
    case .chartList: PackageResources.chart_list_js
    case .airports: PackageResources.airports_js
    case .airportDots: PackageResources.airport_dots_js
    case .airportCard: PackageResources.airport_card_js
    case .airspace: PackageResources.airspace_js
    case .swipe: PackageResources.swipe_js
    case .search: PackageResources.search_js
    }
  }

  /// The `ETag` of a file of the page.
  static func tag(of bytes: [UInt8]) -> String? { (try? SHA256Hex(of: bytes))?.text }
}
