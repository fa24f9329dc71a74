/// The contents of a file of special-use airspace: AIXM 5.0 with the FAA's extensions.
struct SpecialUseFile {
  /// A volume that is added to an airspace or subtracted from it.
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
    /// The airspace whose shape it uses.
    let reference: String?
  }

  struct Area {
    var id: String
    /// The FAA's permanent identifier.
    var uuid: String?
    var line: Int
    var designator: String
    var name: String
    var type: String?
    var state: String?
    var city: String?
    var notes: [String]
    var components: [Component]
    /// Its unusable components.
    var flaws: [UnusableRow]
    /// Whether the file contains it only because another airspace refers to it. It has its own file.
    var isInlined = false

    /// Whether an airspace with the same designator and name has the same volumes.
    func isSame(as other: Area) -> Bool {
      if let uuid, !uuid.isEmpty, uuid == other.uuid { return true }
      return components == other.components && flaws.isEmpty && other.flaws.isEmpty
    }
  }

  let name: String
  private(set) var areas: [Area] = []
  private var units: [String: (name: String, type: String)] = [:]
  /// In the order of the file.
  private var controllers: [String] = []
  private(set) var usage: [AirspaceUsage] = []
  private(set) var channels: [(id: String, channel: RadioChannel)] = []
  private(set) var allocations: [RadioChannel.Allocation] = []

  private static let wanted: Set<String> = [
    "Airspace", "Unit", "AirspaceUsage", "RadioCommunicationChannel", "AirTrafficControlService",
    "InformationService",
  ]

  /// - Parameter changes: the rows that corrections change, by table.
  init(_ bytes: [UInt8], name: String, _ changes: [String: RowChanges] = [:]) throws(XMLDefect) {
    self.name = name
    for feature in try AIXMElement.read(bytes, wanted: SpecialUseFile.wanted) {
      if feature.name == "Airspace", !changes.isEmpty { feature.correct(changes) }
      add(feature)
    }
    guard !areas.isEmpty else { throw XMLDefect(line: 0, reason: "it contains no airspace") }
    guard areas.count > 1 else { return }
    let referenced = Set(areas.flatMap(\.components).compactMap(\.reference))
    for index in areas.indices { areas[index].isInlined = referenced.contains(areas[index].id) }
  }

  private mutating func add(_ feature: AIXMElement) {
    let id = feature.attributes["id"] ?? ""
    allocations += feature.all("RadioCommunicationChannelAllocation").flatMap(RadioChannel.allocations)
    switch feature.name {
    case "Airspace": areas.append(Area(feature))
    case "Unit":
      let name = feature.text("name") ?? feature.text("designator") ?? ""
      if !name.isEmpty { units[id] = (name, feature.text("type") ?? "") }
    case "AirspaceUsage": usage.append(AirspaceUsage(feature))
    case "RadioCommunicationChannel":
      if let channel = RadioChannel(feature) { channels.append((id, channel)) }
    case "AirTrafficControlService":
      if let unit = feature.first("serviceProvider")?.reference { controllers.append(unit) }
    default: break
    }
  }

  /// The controlling and the using facility.
  var agencies: (controlling: String?, using: String?) {
    let controller = controllers.lazy.compactMap { units[$0] }.first
    let byID = units.sorted { $0.key < $1.key }.map(\.value)
    return ((controller ?? byID.first { $0.type == "ARTCC" })?.name, byID.first { $0.type == "MILOPS" }?.name)
  }
}

extension SpecialUseFile.Area {
  init(_ feature: AIXMElement) {
    let slice = feature.first("AirspaceTimeSlice") ?? feature
    id = feature.attributes["id"] ?? ""
    uuid = feature["identifier"]?.text
    line = feature.line
    designator = slice["designator"]?.text ?? ""
    name = slice["name"]?.text ?? ""
    type = slice.text("suaType")
    state = slice.text("administrativeArea")
    city = slice.text("city")
    notes = slice.children.filter { $0.name == "annotation" }.flatMap { annotation in
      annotation.all("note").compactMap(\.text)
    }
    components = []
    flaws = []
    for element in slice.all("AirspaceGeometryComponent") {
      do {
        components.append(try SpecialUseFile.Component(element))
      } catch {
        flaws.append(error)
      }
    }
  }
}

extension SpecialUseFile.Component {
  init(_ element: AIXMElement) throws(UnusableRow) {
    let code = element["operation"]?.text ?? Operation.base.rawValue
    guard let operation = Operation(rawValue: code) else {
      throw UnusableRow(column: "operation", value: code, reason: "the operation is not known")
    }
    self.operation = operation
    sequence = element["operationSequence"]?.text.flatMap(Int.init) ?? 0
    let volume = element.first("AirspaceVolume") ?? element
    band = AltitudeBand(lower: try volume.limit("lowerLimit"), upper: try volume.limit("upperLimit"))
    minimum = try volume.limit("minimumLimit")
    maximum = try volume.limit("maximumLimit")
    patches =
      try volume["horizontalProjection"].map { surface throws(UnusableRow) in
        try surface.patches()
      } ?? []
    reference = volume.first("theAirspace")?.reference
    guard !patches.isEmpty || reference != nil else {
      throw UnusableRow(column: "horizontalProjection", value: "", reason: "there is no shape")
    }
  }
}

extension AIXMElement {
  /// `<upperLimit uom="FL">180</upperLimit>` and `<upperLimitReference>STD</upperLimitReference>`.
  func limit(_ name: String) throws(UnusableRow) -> AltitudeLimit? {
    guard let element = self[name], let text = element.text?.uppercased() else { return nil }
    switch text {
    case "GND", "SFC", "FLOOR": return .surface
    case "UNL", "CEILING": return .unlimited
    default:
      let unit = element.attributes["uom"]?.trimmed.uppercased() ?? ""
      guard AltitudeLimit.isKnown(unit: unit) else {
        throw UnusableRow(column: name, value: "\(text) \(unit)", reason: AltitudeLimit.unknownUnit)
      }
      let limit = Double(text).flatMap {
        AltitudeLimit(number: $0, unit: unit, reference: self[name + "Reference"]?.text ?? "")
      }
      guard let limit else { throw UnusableRow(column: name, value: text, reason: "it is not an altitude") }
      return limit
    }
  }
}
