/// The times of use of special-use airspace.
struct AirspaceUsage {
  /// One entry of a timetable.
  struct Timesheet: Equatable, Encodable {
    var day: String?
    var dayTo: String?
    /// `0700`
    var start: String?
    var end: String?
    /// sunrise or sunset, with minutes after the event, negative before it.
    var startEvent: String?
    var startMinutes: Int?
    var endEvent: String?
    var endMinutes: Int?
    /// `UTC` or another reference, as the FAA writes it.
    var reference: String?
    /// Hours from UTC.
    var utcOffset: Double?
    var hasDaylightSaving: Bool?
    var startDate: String?
    var endDate: String?
  }

  /// The airspaces that it applies to; none means all of the file.
  let areas: [String]
  let activity: String?
  /// CONT, NOTAM, TIMSH ...
  let workingHours: String?
  let timesheets: [Timesheet]

  init(_ feature: AIXMElement) {
    let names: Set<String> = ["restrictedAirspace", "theAirspace", "associatedAirspace"]
    areas = names.sorted().flatMap { feature.all($0) }.compactMap(\.reference)
    activity = feature.text("activity")
    workingHours = feature.text("workingHours")
    let daylight = feature.text("daylightSavings").flatMap {
      ["YES": true, "Y": true, "NO": false, "N": false][$0]
    }
    timesheets = feature.all("Timesheet").map { Timesheet($0, daylight) }
  }

  private static let rules: CodeBook = [
    "CONT": "continuous", "NOTAM": "by NOTAM", "H24": "continuous", "INTERMITTENT": "intermittent",
  ]

  /// One line for display: `MON-FRI 0700-2200 local; by NOTAM`.
  var text: String? {
    let rule = workingHours.flatMap { $0 == "TIMSH" ? nil : AirspaceUsage.rules[$0] ?? $0 }
    let parts = timesheets.map(\.text).filter { !$0.isEmpty } + [rule].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }
}

extension AirspaceUsage.Timesheet {
  init(_ element: AIXMElement, _ daylight: Bool?) {
    day = element["day"]?.text
    dayTo = element["dayTil"]?.text
    start = AirspaceUsage.Timesheet.clock(element["startTime"]?.text)
    end = AirspaceUsage.Timesheet.clock(element["endTime"]?.text)
    startEvent = AirspaceUsage.Timesheet.event(element["startEvent"]?.text)
    startMinutes = element["startTimeRelativeEvent"]?.text.flatMap(Double.init).flatMap(Int.init(exactly:))
    endEvent = AirspaceUsage.Timesheet.event(element["endEvent"]?.text)
    endMinutes = element["endTimeRelativeEvent"]?.text.flatMap(Double.init).flatMap(Int.init(exactly:))
    reference = element["timeReference"]?.text
    utcOffset = element.text("timeOffset").flatMap(Double.init).flatMap { abs($0) <= 14 ? $0 : nil }
    hasDaylightSaving = daylight
    startDate = element["startDate"]?.text
    endDate = element["endDate"]?.text
  }

  /// `0700` for `07:00`. Other texts do not change.
  private static func clock(_ text: String?) -> String? { text.map { $0.replacing(":", with: "") } }

  private static let events: CodeBook = ["SR": "sunrise", "SS": "sunset"]
  private static func event(_ code: String?) -> String? { code.map { events[$0] ?? $0.lowercased() } }

  fileprivate var text: String {
    let days = [day, dayTo].compactMap(\.self).joined(separator: "-")
    let dates = [startDate, endDate].compactMap(\.self).joined(separator: " to ")
    let times = [moment(start, startEvent, startMinutes), moment(end, endEvent, endMinutes)]
      .compactMap(\.self).joined(separator: "-")
    guard !times.isEmpty else { return [dates, days].filter { !$0.isEmpty }.joined(separator: " ") }
    return [dates, days, times, zone].filter { !$0.isEmpty }.joined(separator: " ")
  }

  private func moment(_ clock: String?, _ event: String?, _ minutes: Int?) -> String? {
    guard let event else { return clock }
    guard let minutes, minutes != 0 else { return event }
    let side = minutes < 0 ? "before" : "after"
    return "\(minutes.magnitude) min \(side) \(event)"
  }

  private var zone: String {
    guard let utcOffset, utcOffset != 0 else { return reference == "UTC" ? "UTC" : "" }
    let hours = utcOffset == utcOffset.rounded() ? String(Int(utcOffset)) : String(utcOffset)
    let name = "UTC" + (utcOffset > 0 ? "+" : "") + hours
    return hasDaylightSaving == true ? "\(name) with daylight saving" : name
  }
}

/// A frequency of the user or controller of an airspace.
struct RadioChannel: Equatable {
  /// MHz.
  var transmits: Double?
  var receives: Double?
  var mode: String?
  /// civilian or military
  var traffic: String?
  var isCharted: Bool?
  var sector: String?

  /// Returns nil without a frequency.
  init?(_ feature: AIXMElement) {
    transmits = RadioChannel.megahertz(feature.text("frequencyTransmission"))
    receives = RadioChannel.megahertz(feature.text("frequencyReception"))
    mode = feature.text("mode")
    if transmits == nil, receives == nil { return nil }
  }

  private static func megahertz(_ text: String?) -> Double? {
    text.flatMap(Double.init).flatMap { (1...1000).contains($0) ? $0 : nil }
  }
}

extension RadioChannel {
  /// The allocation of a frequency to an airspace.
  typealias Allocation = (area: String, channel: String, traffic: String?, isCharted: Bool?, sector: String?)

  private static let traffics: CodeBook = ["CIVIL": "civil", "MIL": "military", "ALL": "all"]

  static func allocations(_ element: AIXMElement) -> [Allocation] {
    guard let area = element["associatedAirspace"]?.reference else { return [] }
    return element.all("SaaRadioCommunicationChannel").compactMap { entry in
      guard let channel = entry["associatedChannel"]?.reference else { return nil }
      let traffic = entry["communicationAllowed"]?.text
      return (
        area, channel, traffic.map { traffics[$0] ?? $0.lowercased() },
        entry["charted"]?.text.flatMap { ["YES": true, "NO": false][$0] }, entry["sectors"]?.text
      )
    }
  }
}

extension SpecialUseFile {
  /// The frequencies of an airspace, in the order of the file. Frequencies without an allocation belong to all airspaces.
  func channels(of area: Area) -> [RadioChannel] {
    let byID = Dictionary(first: channels)
    let own = allocations.filter { $0.area == area.id }.compactMap { allocation -> RadioChannel? in
      var channel = byID[allocation.channel]
      channel?.traffic = allocation.traffic
      channel?.isCharted = allocation.isCharted
      channel?.sector = allocation.sector
      return channel
    }
    let named = Set(allocations.map(\.channel))
    let all = own.isEmpty ? channels.filter { !named.contains($0.id) }.map(\.channel) : own
    return all.enumerated().filter { index, channel in !all[..<index].contains(channel) }.map(\.element)
  }
}
