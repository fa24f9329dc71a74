internal import Core
internal import Foundation
internal import RasterIO

/// Builds the rows of special-use airspace.
struct SpecialUseAirspaces {
  /// One airspace with the rows of its strata.
  typealias Area = (
    records: [AirspaceRecord], timesheets: [AirspaceUsage.Timesheet], channels: [RadioChannel]
  )

  /// The minimum area of a polygon, a thousandth of a degree squared. Smaller ones are slivers between boundaries that should be equal.
  private static let minimumArea = 1e6

  private let directory: SpecialUseDirectory
  private let composer: SpecialUseComposer
  /// The number of unreadable files.
  private let unreadable: Int
  private let builder: ShapeBuilder
  private let problems: ProblemLog

  /// Reads all files, since airspaces refer to each other.
  init(
    _ source: AirspaceSource, builder: ShapeBuilder, problems: ProblemLog, correct: RowCorrector? = nil
  ) throws {
    var files: [SpecialUseFile] = []
    var unreadable = 0
    let members = try source.xmlFiles()
    let changes = try correct.map { correct in
      // Other problems of a file are reported when it is read.
      try SpecialUseFile.changes(
        in: members.filter { $0.member.size <= AIXMElement.mostBytes }.map { container, member in
          let bytes = try source.read(member, in: container)
          return (member.fileName, (try? AIXMElement.read(bytes, wanted: ["Airspace"])) ?? [])
        }, correct)
    }
    for (container, member) in members {
      try CancellationToken.current.check()
      do {
        guard member.size <= AIXMElement.mostBytes else {
          throw XMLDefect(line: 0, reason: "it is too large")
        }
        files.append(
          try SpecialUseFile(
            try source.read(member, in: container), name: member.fileName, changes ?? [:]))
      } catch let error as XMLDefect {
        unreadable += 1
        problems.record(
          .rowDropped, file: SpecialUseDirectory.file, part: member.fileName, line: error.line, column: nil,
          value: member.fileName, reason: error.reason)
      }
    }
    self.unreadable = unreadable
    directory = SpecialUseDirectory(files)
    composer = SpecialUseComposer(directory: directory, problems: problems)
    self.builder = builder
    self.problems = problems
  }

  /// Passes each usable airspace to a closure, in the order of designator and name.
  func forEach(_ each: (Area) throws -> Void) throws {
    for entry in directory.entries {
      try CancellationToken.current.check()
      do {
        try each(try area(entry))
      } catch let row as UnusableRow {
        report(.rowDropped, entry, row.column, row.value, row.reason)
      } catch let error as ShapeError {
        report(.rowDropped, entry, nil, entry.area.designator, error.rawValue)
      } catch let error as GDALError {
        report(.rowDropped, entry, nil, entry.area.designator, error.message)
      }
    }
    for entry in directory.repeated {
      report(.rowRepeated, entry, nil, entry.area.designator, "the airspace is repeated")
    }
    for entry in directory.namesakes {
      report(
        .contradiction, entry, nil, entry.area.designator,
        "another airspace of this designator and name has another shape")
    }
    problems.read(
      rows: directory.entries.count + directory.repeated.count + unreadable, of: SpecialUseDirectory.file)
  }

  private func area(_ entry: SpecialUseDirectory.Entry) throws -> Area {
    for flaw in entry.area.flaws {
      report(.fieldDropped, entry, flaw.column, flaw.value, flaw.reason)
    }
    if entry.area.components.isEmpty, let flaw = entry.area.flaws.first { throw flaw }
    let composition = try composer.compose(entry.area, of: entry.file)
    var wasRepaired = composition.wasRepaired
    let usage = entry.file.usage.filter { $0.areas.isEmpty || $0.areas.contains(entry.area.id) }
    let template = record(entry, usage)
    let records = try composition.strata.compactMap { stratum -> AirspaceRecord? in
      let parts = try SpecialUseAirspaces.parts(of: stratum.area)
      guard !parts.isEmpty else { return nil }
      let built = try builder.shape(of: parts)
      wasRepaired = wasRepaired || built.wasRepaired
      var record = template
      (record.floor, record.ceiling) = (stratum.band.lower, stratum.band.upper)
      (record.minimum, record.maximum) = (stratum.minimum, stratum.maximum)
      record.excluded = stratum.excluded.isEmpty ? nil : stratum.excluded.joined(separator: "; ")
      record.isComplete = composition.isComplete
      record.shape = built.shape
      return record
    }
    guard !records.isEmpty else { throw ShapeError.noArea }
    if wasRepaired {
      report(.shapeMended, entry, nil, entry.area.name, "its boundary crossed or touched itself")
    }
    return (records, usage.flatMap(\.timesheets), entry.file.channels(of: entry.area))
  }

  /// The polygons of a composed area without slivers.
  private static func parts(of area: PlaneArea) throws -> [[ShapeRing]] {
    guard !area.isEmpty else { return [] }
    return try ShapeBuilder.settled(area).compactMap { rings in
      guard abs(rings[0].doubledArea) / 2 >= minimumArea else { return nil }
      return [rings[0]] + rings.dropFirst().filter { abs($0.doubledArea) / 2 >= minimumArea }
    }
  }

  /// The record without its band and shape.
  private func record(_ entry: SpecialUseDirectory.Entry, _ usage: [AirspaceUsage]) -> AirspaceRecord {
    let (file, area) = entry
    let agencies = file.agencies
    let hours = usage.compactMap(\.text)
    let notes = area.notes.joined(separator: "\n")
    return AirspaceRecord(
      kind: "specialUse", classification: classification(entry), type: area.type ?? "",
      designator: area.designator.isEmpty ? nil : area.designator,
      name: area.name.isEmpty ? area.designator : area.name, city: area.city,
      state: area.state.map { StateNames.code($0) }, agency: agencies.controlling,
      usingAgency: agencies.using,
      hours: hours.isEmpty ? SpecialUseAirspaces.timesOfUse(in: notes) : hours.joined(separator: "; "),
      activity: usage.lazy.compactMap(\.activity).first, remark: notes.isEmpty ? nil : notes,
      shape: MapShape([]))
  }

  /// The times in the legal description, `Times of use. By NOTAM.`, where there is no timetable.
  private static func timesOfUse(in notes: String) -> String? {
    guard let start = notes.range(of: "times of use.", options: .caseInsensitive) else { return nil }
    let rest = notes[start.upperBound...]
    let end = ["controlling agency", "using agency", "\n"].compactMap {
      rest.range(of: $0, options: .caseInsensitive)?.lowerBound
    }.min()
    let words = rest[..<(end ?? rest.endIndex)].trimmed
    return words.isEmpty ? nil : words
  }

  private static let types: CodeBook = [
    "MOA": "moa", "RA": "restricted", "WA": "warning", "AA": "alert", "PA": "prohibited",
    "NSA": "nationalSecurity",
  ]

  private func classification(_ entry: SpecialUseDirectory.Entry) -> String {
    if let type = entry.area.type, type != "OTHER" {
      if let word = SpecialUseAirspaces.types[type] { return word }
      report(.unknownCode, entry, "suaType", type, "the type is not known")
      return "other"
    }
    let designator = entry.area.designator
    let rest = designator.dropFirst().drop { $0 == "-" }
    if rest.first?.isNumber == true, let type = designator.first,
      let word = SpecialUseAirspaces.types["\(type)A"]
    {
      return word
    }
    if entry.area.name.hasSuffix("MOA") { return "moa" }
    report(.unknownCode, entry, "suaType", entry.area.type ?? "", "the type is not known")
    return "other"
  }

  private func report(
    _ kind: RecordProblem.Kind, _ entry: SpecialUseDirectory.Entry, _ column: String?, _ value: String,
    _ reason: String
  ) {
    problems.record(
      kind, file: SpecialUseDirectory.file, part: entry.file.name, line: entry.area.line, column: column,
      value: value, reason: reason)
  }
}

/// The airspaces of all files, which refer to each other.
struct SpecialUseDirectory {
  /// The name under which problems are counted, since there are a thousand files.
  static let file = "Saa_Sub_File.zip"

  typealias Entry = (file: SpecialUseFile, area: SpecialUseFile.Area)

  /// In the order of designator, name and file.
  let entries: [Entry]
  /// Entries that are equal to another one.
  let repeated: [Entry]
  /// Entries with the designator and name of another one, but another shape.
  let namesakes: [Entry]
  /// With the repeated ones.
  private let all: [Entry]
  private let byUUID: [String: Int]
  private let byID: [String: Int]
  /// By the name of the file and the id.
  private let byFileAndID: [[String]: Int]

  /// Uses the own file of an airspace, not the copies in the files of its neighbours.
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
    (entries, repeated, namesakes) = SpecialUseDirectory.withoutDuplicates(sorted)
    byFileAndID = Dictionary(first: all.enumerated().map { ([$1.file.name, $1.area.id], $0) })
    // Most files use the same ids, so an id alone is usually ambiguous.
    byID = Dictionary(grouping: all.indices) { all[$0].area.id }.compactMapValues {
      $0.count == 1 ? $0[0] : nil
    }
    byUUID = Dictionary(
      first: all.enumerated().compactMap { index, entry in
        entry.area.uuid.map { (SpecialUseDirectory.plain($0), index) }
      })
  }

  /// Separates duplicates. Entries with the same designator and name are adjacent.
  private static func withoutDuplicates(_ sorted: [Entry]) -> (
    entries: [Entry], repeated: [Entry], namesakes: [Entry]
  ) {
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

  /// Returns the target of a reference: in the same file, else by its permanent identifier, else in another file.
  func find(_ reference: String, from file: SpecialUseFile) -> Entry? {
    let index =
      byFileAndID[[file.name, reference]] ?? byUUID[SpecialUseDirectory.plain(reference)]
      ?? byID[reference]
    return index.map { all[$0] }
  }

  /// Without `urn:uuid:`.
  private static func plain(_ uuid: String) -> String {
    (uuid.split(separator: ":").last.map(String.init) ?? uuid).lowercased()
  }
}

/// The postal codes of the states, since special-use airspace has their full names.
enum StateNames {
  /// Returns the code, or the name where it has none.
  static func code(_ name: String) -> String { codes[name.uppercased()] ?? name }

  static var all: [(name: String, code: String)] { codes.pairs.map { ($0.code, $0.word) } }

  static let codes: CodeBook = [
    "ALABAMA": "AL", "ALASKA": "AK", "ARIZONA": "AZ", "ARKANSAS": "AR", "CALIFORNIA": "CA", "COLORADO": "CO",
    "CONNECTICUT": "CT", "DELAWARE": "DE", "DISTRICT OF COLUMBIA": "DC", "FLORIDA": "FL", "GEORGIA": "GA",
    "HAWAII": "HI", "IDAHO": "ID", "ILLINOIS": "IL", "INDIANA": "IN", "IOWA": "IA", "KANSAS": "KS",
    "KENTUCKY": "KY", "LOUISIANA": "LA", "MAINE": "ME", "MARYLAND": "MD", "MASSACHUSETTS": "MA",
    "MICHIGAN": "MI", "MINNESOTA": "MN", "MISSISSIPPI": "MS", "MISSOURI": "MO", "MONTANA": "MT",
    "NEBRASKA": "NE", "NEVADA": "NV", "NEW HAMPSHIRE": "NH", "NEW JERSEY": "NJ", "NEW MEXICO": "NM",
    "NEW YORK": "NY", "NORTH CAROLINA": "NC", "NORTH DAKOTA": "ND", "OHIO": "OH", "OKLAHOMA": "OK",
    "OREGON": "OR", "PENNSYLVANIA": "PA", "PUERTO RICO": "PR", "RHODE ISLAND": "RI", "SOUTH CAROLINA": "SC",
    "SOUTH DAKOTA": "SD", "TENNESSEE": "TN", "TEXAS": "TX", "UTAH": "UT", "VERMONT": "VT", "VIRGINIA": "VA",
    "WASHINGTON": "WA", "WEST VIRGINIA": "WV", "WISCONSIN": "WI", "WYOMING": "WY", "GUAM": "GU",
    "AMERICAN SAMOA": "AS", "VIRGIN ISLANDS": "VI", "NORTHERN MARIANA ISLANDS": "MP",
  ]
}
