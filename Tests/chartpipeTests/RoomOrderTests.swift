import Foundation
import Testing

/// `ChartpipeKit` is one module, so the compiler does not check which of its folders uses which. This does.
struct RoomOrderTests {
  /// Each may use only those before it.
  private static let rooms =
    within("Pipeline", "Products Definition Run")
    + ["Fetch", "TileArchive"]
    + within("Charts", "Source Neatline Warp Evidence Tiles Build Mosaic Raster")
    + within(
      "Aero", "Shapes Source Records Schema Tables Airspace Writing Corrections Database Obstacles Procedures"
    )
    + within("Aero", "Comparison Export Weather Restrictions Plates")
    + within("Validation", "Evidence Subjects Pictures Audit Rules Run")
    + within("Site", "Layout Web Store Contents Report Stage Publish Live Parts Verify Mirror")
    + ["Preview", "Packs"]
    + within(
      "Kinds", "Plan Mosaic Chart Raster Export NASR Database Plates Live TFR Weather Library")
    + within("chartpipe", "Arguments Output Run Engines Commands Main")

  private static func within(_ room: String, _ folders: String) -> [String] {
    folders.split(separator: " ").map { "\(room)/\($0)" }
  }

  /// In this order.
  private static let read = Result { try rooms.map(Room.init) }

  @Test("all files are in folders of the order")
  func complete() throws {
    let rooms = Set(RoomOrderTests.rooms.map { $0.prefix { $0 != "/" } })
    let all = try rooms.flatMap { try Room.texts(of: String($0)).keys }
    #expect(all.filter { file in !RoomOrderTests.rooms.contains { file.hasPrefix($0 + "/") } } == [])
  }

  @Test("a folder uses only the folders below it")
  func order() throws {
    let rooms = try RoomOrderTests.read.get()
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

  @Test("few files of a folder need each other")
  func knots() throws {
    let folders = Dictionary(grouping: zip(RoomOrderTests.rooms, try RoomOrderTests.read.get())) {
      $0.0.prefix { $0 != "/" }
    }
    for parts in folders.values {
      let knot = Room.largestKnot(of: parts.reduce(into: [:]) { $0.merge($1.1.files) { $1 } })
      #expect(knot.count <= 8, "these need each other: \(knot.sorted())")
    }
    let files = [
      "a": "struct Site { let store: Store }", "b": "struct Store { let part: Part }",
      "c": "struct Part { let store: Store }",
    ]
    #expect(Room.largestKnot(of: files) == ["b", "c"])
  }

  /// Where a room names a type that only a room above it declares. A nested type may have the name of one above.
  private static func uses(in rooms: [Room], of index: Int) -> [String] {
    let known = rooms[...index].reduce(into: Set<String>()) { $0.formUnion($1.allTypes) }
    let above = rooms[(index + 1)...].reduce(into: Set<String>()) { $0.formUnion($1.types) }.subtracting(
      known)
    return rooms[index].files.flatMap { name, text in
      Room.names(in: text).intersection(above).map { "\(name) uses \($0)" }
    }.sorted()
  }
}

/// The Swift files of a folder, without comments and texts.
private struct Room {
  let files: [String: String]
  /// The types that all files of the module see.
  let types: Set<String>
  /// With nested types, private ones and type parameters.
  let allTypes: Set<String>

  init(files: [String: String]) {
    self.files = files.mapValues { $0.replacing(/"""[\s\S]*?"""|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"/, with: "") }
    types = Set(self.files.values.flatMap(Room.types))
    allTypes = Set(
      self.files.values.flatMap {
        Room.names(/\b(?:struct|class|enum|protocol|actor|typealias|associatedtype) (\w+)/, in: $0)
          + Room.names(/<(\w+)[:>,]/, in: $0)
      })
  }

  init(_ name: String) throws { self.init(files: try Room.texts(of: name)) }

  static func texts(of name: String) throws -> [String: String] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = root.appending(path: "Sources").appending(path: name)
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    let pairs = try paths.filter { $0.hasSuffix(".swift") }.map {
      ("\(name)/\($0)", try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  private static func types(of text: String) -> [String] {
    let pattern =
      /(?m)^(?:(?:public|final|indirect|package) )*(?:struct|class|enum|protocol|actor|typealias) (\w+)/
    return text.matches(of: pattern).map { String($0.output.1) }
  }

  /// The words that begin with a capital letter. Split by hand, since regular expressions are slow in debug builds.
  static func names(in text: String) -> Set<String> {
    let words = text.utf8.split { !($0 == 95 || (48...57 ~= $0) || (65...90 ~= $0) || (97...122 ~= $0)) }
    return Set(words.filter { 65...90 ~= $0[$0.startIndex] }.map { String(Substring($0)) })
  }

  private static func names(_ pattern: Regex<(Substring, Substring)>, in text: String) -> [String] {
    text.matches(of: pattern).map { String($0.output.1) }
  }

  /// The most files that all need each other, directly or through others.
  static func largestKnot(of files: [String: String]) -> Set<String> {
    let owners = Dictionary(
      files.flatMap { file, text in Room.types(of: text).map { ($0, file) } },
      uniquingKeysWith: { "\($0) \($1)" })
    let needs = files.mapValues { text in Set(Room.names(in: text).compactMap { owners[$0] }) }
    let reached = needs.mapValues { first in
      var (all, next) = (first, first)
      while !next.isEmpty {
        next = Set(next.flatMap { needs[$0] ?? [] }).subtracting(all)
        all.formUnion(next)
      }
      return all
    }
    let knots = reached.map { file, all in all.filter { reached[$0]?.contains(file) ?? false } }
    return knots.max { $0.count < $1.count } ?? []
  }
}
