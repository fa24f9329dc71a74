/// What one file of special-use airspace says.
struct SpecialUseFile {
  struct Unit {
    let name: String
    let type: String
  }

  /// A volume that is added to an airspace or taken from it.
  struct Component: Equatable {
    enum Operation: String {
      case base = "BASE"
      case union = "UNION"
      case subtraction = "SUBTR"
    }

    let operation: Operation
    let sequence: Int
    let band: AltitudeBand
    let minimum: AltitudeLimit?
    let maximum: AltitudeLimit?
    /// The rings of each patch, the outer one first.
    let patches: [[[PathSegment]]]
    /// The airspace whose shape it has.
    let reference: String?
  }

  struct Area {
    var id: String
    /// The FAA's lasting identifier.
    var uuid: String?
    var line: Int
    var designator: String
    var name: String
    var type: String?
    var state: String?
    var city: String?
    var notes: [String]
    var components: [Component]
    /// What of its components cannot be used.
    var flaws: [UnusableRow]
    /// Whether it is only there since another airspace of the file refers to it; it has a file of its own.
    var isInlined = false

    /// Whether another one of the same identity encloses the same.
    func isSame(as other: Area) -> Bool {
      if let uuid, !uuid.isEmpty, uuid == other.uuid { return true }
      return components == other.components && flaws.isEmpty && other.flaws.isEmpty
    }
  }

  let name: String
  var areas: [Area] = []
  var units: [String: Unit] = [:]
  /// In the order of the file.
  var controllers: [String] = []
  var usage: [SpecialUseTimes] = []
  var channels: [(id: String, channel: RadioChannel)] = []
  var allocations: [RadioAllocation] = []

  init(_ name: String) { self.name = name }

  /// The facility that controls it, then the one that uses it.
  var agencies: (controlling: String?, using: String?) {
    let controller = controllers.lazy.compactMap { units[$0] }.first
    let byID = units.sorted { $0.key < $1.key }.map(\.value)
    return (
      (controller ?? byID.first { $0.type == "ARTCC" })?.name, byID.first { $0.type == "MILOPS" }?.name
    )
  }
}

/// A floor and a ceiling; nil where none is said.
struct AltitudeBand: Hashable {
  var lower: AltitudeLimit?
  var upper: AltitudeLimit?

  var text: String { "\(lower?.text ?? "SFC") to \(upper?.text ?? "UNL")" }
}
