internal import Core
internal import CryptoIO
public import Foundation
internal import Pipeline

/// The files of the page, embedded in the program.
enum PageFile: String, CaseIterable, Sendable {
  case page = "index.html"
  case style = "preview.css"
  case main = "main.js"
  case words = "words.js"
  case place = "place.js"
  case charts = "charts.js"
  case chartList = "chart-list.js"
  case airports = "airports.js"
  case airportDots = "airport-dots.js"
  case airportCard = "airport-card.js"
  case airspace = "airspace.js"
  case swipe = "swipe.js"
  case search = "search.js"

  static let scriptType = "text/javascript; charset=utf-8"
  static let styleType = "text/css; charset=utf-8"

  var type: String {
    switch self {
    case .page: "text/html; charset=utf-8"
    case .style: PageFile.styleType
    default: PageFile.scriptType
    }
  }

  var bytes: [UInt8] {
    switch self {
    case .page: PackageResources.index_html
    case .style: PackageResources.preview_css
    case .main: PackageResources.main_js
    case .words: PackageResources.words_js
    case .place: PackageResources.place_js
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

  var tag: String? { (try? SHA256Hex(of: bytes))?.text }
}

/// The folder of Leaflet, the page's map library. Only these two of its files are served.
public struct LeafletFolder: Sendable {
  enum File: String, CaseIterable, Sendable {
    case script = "leaflet.js"
    case style = "leaflet.css"

    var type: String {
      switch self {
      case .script: PageFile.scriptType
      case .style: PageFile.styleType
      }
    }
  }

  private static let defaultFolders = [
    "/usr/share/javascript/leaflet", "/usr/share/nodejs/leaflet/dist", "/usr/lib/node_modules/leaflet/dist",
    "/usr/local/lib/node_modules/leaflet/dist", "/opt/homebrew/lib/node_modules/leaflet/dist",
  ]

  private let folder: URL

  /// - Parameter named: the folder to use; nil to search the default folders.
  public init(named: URL? = nil) throws {
    let places = named.map { [$0] } ?? LeafletFolder.defaultFolders.map { URL(filePath: $0) }
    guard let found = places.first(where: LeafletFolder.hasAllFiles) else {
      throw UserError(
        .failed, operation: "looking for Leaflet", path: named?.path,
        reason: named == nil
          ? "it is not installed; the page needs it to draw a map" : "leaflet.js or leaflet.css is missing",
        suggestion:
          "Install it (apt-get install libjs-leaflet, or npm install --global leaflet), or name its folder with --leaflet."
      )
    }
    folder = found
  }

  public var path: String { folder.path }

  func read(_ file: File) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appending(path: file.rawValue)))
  }

  private static func hasAllFiles(_ folder: URL) -> Bool {
    File.allCases.allSatisfy {
      FileManager.default.fileExists(atPath: folder.appending(path: $0.rawValue).path)
    }
  }
}
