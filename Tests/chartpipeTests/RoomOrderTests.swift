import Foundation
import Testing

/// `ChartpipeKit` is one module, so the compiler does not check which of its folders uses which. This does.
struct RoomOrderTests {
  /// Each may use only those before it.
  private static let rooms = [
    "Pipeline", "Fetch", "TileArchive", "Charts", "Aero", "Validation", "Site", "Preview", "Packs",
    "chartpipe",
  ]

  @Test("a folder uses only the folders below it")
  func order() throws {
    let rooms = try RoomOrderTests.rooms.map(Room.init)
    #expect(rooms.allSatisfy { !$0.files.isEmpty })
    let uses = rooms.indices.flatMap { RoomOrderTests.uses(in: rooms, of: $0) }
    #expect(uses == [])
  }

  @Test("a use of a folder above is found")
  func violation() {
    let lower = Room(files: ["Chart.swift": "struct Chart { let site: Site? } // Store \"Packer\""])
    let upper = Room(files: ["Site.swift": "public struct Site { struct Store {} }\nstruct Packer {}"])
    #expect(RoomOrderTests.uses(in: [lower, upper], of: 0) == ["Chart.swift uses Site"])
    #expect(RoomOrderTests.uses(in: [upper, lower], of: 1) == [])
  }

  /// Where a room names a type that only a room above it declares. A nested type may have the name of one above.
  private static func uses(in rooms: [Room], of index: Int) -> [String] {
    let known = rooms[...index].reduce(into: Set<String>()) { $0.formUnion($1.allTypes) }
    let above = rooms[(index + 1)...].reduce(into: Set<String>()) { $0.formUnion($1.types) }.subtracting(
      known)
    return rooms[index].files.flatMap { name, text in
      Set(text.matches(of: /\b[A-Z]\w+/).map { String($0.output) }).intersection(above).map {
        "\(name) uses \($0)"
      }
    }.sorted()
  }
}

/// The Swift files of a folder, without comments and texts.
private struct Room {
  let files: [String: String]

  init(files: [String: String]) {
    self.files = files.mapValues { $0.replacing(/"""[\s\S]*?"""|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"/, with: "") }
  }

  init(_ name: String) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = root.appending(path: "Sources").appending(path: name)
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    let pairs = try paths.filter { $0.hasSuffix(".swift") }.map {
      ("\(name)/\($0)", try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
    }
    self.init(files: Dictionary(uniqueKeysWithValues: pairs))
  }

  /// The types that all files of the module see.
  var types: Set<String> {
    names(/(?m)^(?:(?:public|final|indirect|package) )*(?:struct|class|enum|protocol|actor|typealias) (\w+)/)
  }

  /// With nested types, private ones and type parameters.
  var allTypes: Set<String> {
    names(/\b(?:struct|class|enum|protocol|actor|typealias|associatedtype) (\w+)/).union(names(/<(\w+)[:>,]/))
  }

  private func names(_ pattern: Regex<(Substring, Substring)>) -> Set<String> {
    Set(files.values.flatMap { $0.matches(of: pattern).map { String($0.output.1) } })
  }
}
