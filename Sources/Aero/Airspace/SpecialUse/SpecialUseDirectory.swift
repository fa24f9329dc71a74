/// All files of special-use airspace, and the ways between them.
struct SpecialUseDirectory {
  /// Under which its problems are counted: there are a thousand files.
  static let file = "Saa_Sub_File.zip"

  typealias Entry = (file: SpecialUseFile, area: SpecialUseFile.Area)

  /// In the order of designator, name and file.
  let entries: [Entry]
  /// Those that are another one once more, and those that only have its designator and name.
  let repeated: [Entry]
  let namesakes: [Entry]
  /// Those that are repeated too.
  private let all: [Entry]
  private let byUUID: [String: Int]
  private let byID: [String: Int]
  private let byPlace: [Place: Int]

  private struct Place: Hashable {
    let file: String
    let id: String
  }

  /// An airspace that a neighbour's file repeats is taken from its own.
  init(_ files: [SpecialUseFile]) {
    let all = files.flatMap { file in file.areas.map { (file: file, area: $0) } }
    self.all = all
    let owned = Set(all.lazy.filter { !$0.area.isInlined }.map(\.area.designator))
    var seen: Set<String> = []
    let sorted = all.filter { entry in
      guard entry.area.isInlined else { return true }
      let name = entry.area.designator
      return !owned.contains(name) && seen.insert(name).inserted
    }.sorted {
      ($0.area.designator, $0.area.name, $0.file.name, $0.area.line)
        < ($1.area.designator, $1.area.name, $1.file.name, $1.area.line)
    }
    (entries, repeated, namesakes) = SpecialUseDirectory.withoutDoubles(sorted)
    byPlace = Dictionary(
      all.enumerated().map { (Place(file: $1.file.name, id: $1.area.id), $0) }
    ) { first, _ in first }
    // Most files number their features alike, and then a number alone says nothing.
    byID = Dictionary(grouping: all.indices) { all[$0].area.id }.compactMapValues {
      $0.count == 1 ? $0[0] : nil
    }
    byUUID = Dictionary(
      all.enumerated().compactMap { index, entry in
        entry.area.uuid.map { (SpecialUseDirectory.plain($0), index) }
      }
    ) { first, _ in first }
  }

  /// Each airspace once. Those of one identity follow each other.
  private static func withoutDoubles(
    _ sorted: [Entry]
  ) -> (entries: [Entry], repeated: [Entry], namesakes: [Entry]) {
    var (entries, repeated, namesakes): ([Entry], [Entry], [Entry]) = ([], [], [])
    for entry in sorted {
      let area = entry.area
      let others = entries.reversed().prefix {
        $0.area.designator == area.designator && $0.area.name == area.name
      }.filter { $0.area.type == area.type }
      if others.contains(where: { $0.area.isSame(as: area) }) {
        repeated.append(entry)
      } else {
        if !others.isEmpty { namesakes.append(entry) }
        entries.append(entry)
      }
    }
    return (entries, repeated, namesakes)
  }

  /// The airspace that a reference names: in the file itself, else by its lasting identifier, else in another file.
  func find(_ reference: String, from file: SpecialUseFile) -> Entry? {
    let index =
      byPlace[Place(file: file.name, id: reference)] ?? byUUID[SpecialUseDirectory.plain(reference)]
      ?? byID[reference]
    return index.map { all[$0] }
  }

  /// Without `urn:uuid:`.
  private static func plain(_ uuid: String) -> String {
    (uuid.split(separator: ":").last.map(String.init) ?? uuid).lowercased()
  }
}
