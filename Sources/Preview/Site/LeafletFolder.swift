internal import Core
public import Foundation
internal import Pipeline

/// Where the system keeps Leaflet, the map that the page is built on. Only these two of its files are ever given out.
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

  private static let usual = [
    "/usr/share/javascript/leaflet", "/usr/share/nodejs/leaflet/dist", "/usr/lib/node_modules/leaflet/dist",
    "/usr/local/lib/node_modules/leaflet/dist", "/opt/homebrew/lib/node_modules/leaflet/dist",
  ]

  private let folder: URL

  /// - Parameter named: instead of where it usually is.
  public init(named: URL? = nil) throws {
    let places = named.map { [$0] } ?? LeafletFolder.usual.map { URL(filePath: $0) }
    guard let found = places.first(where: LeafletFolder.holds) else {
      throw UserError(
        .failed, operation: "looking for Leaflet", path: named?.path,
        reason: named == nil
          ? "it is not installed; the page needs it to draw a map" : "leaflet.js or leaflet.css is not there",
        suggestion:
          "Install it (apt-get install libjs-leaflet, or npm install --global leaflet), or name its folder with --leaflet."
      )
    }
    folder = found
  }

  func read(_ file: File) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appending(path: file.rawValue)))
  }

  private static func holds(_ folder: URL) -> Bool {
    File.allCases.allSatisfy {
      FileManager.default.fileExists(atPath: folder.appending(path: $0.rawValue).path)
    }
  }
}
