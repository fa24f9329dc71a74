internal import Core
internal import Fetch
internal import Foundation
internal import RasterIO

/// Makes the rows of special-use airspace.
struct SpecialUseAirspaces {
  /// What belongs to all strata of one airspace.
  struct Area {
    let records: [AirspaceRecord]
    let sheets: [SpecialUseTimes.Sheet]
    let channels: [RadioChannel]
  }

  /// The least part of a shape, a thousandth of a degree in square: what is smaller is left over where boundaries that
  /// should be the same are not quite.
  private static let leastArea = 1e6

  private let directory: SpecialUseDirectory
  private let composer: SpecialUseComposer
  /// Files of which nothing could be read.
  private let unreadable: Int
  private let maker: ShapeMaker
  private let problems: ProblemLog

  /// Reads all files, since airspaces refer to each other.
  init(_ source: AirspaceSource, maker: ShapeMaker, problems: ProblemLog) throws {
    var files: [SpecialUseFile] = []
    var unreadable = 0
    for (container, member) in try source.xmlFiles() {
      try CancellationToken.current.check()
      do {
        guard member.size <= XMLFeatures.mostBytes else {
          throw XMLFeatures.Trouble(line: 0, reason: "it is too large")
        }
        files.append(try SpecialUseReader.read(try source.read(member, in: container), name: member.fileName))
      } catch let trouble as XMLFeatures.Trouble {
        unreadable += 1
        problems.record(
          .rowDropped, file: SpecialUseDirectory.file, part: member.fileName, line: trouble.line, column: nil,
          value: member.fileName,
          reason: trouble.reason)
      }
    }
    self.unreadable = unreadable
    directory = SpecialUseDirectory(files)
    composer = SpecialUseComposer(directory: directory, problems: problems)
    self.maker = maker
    self.problems = problems
  }

  /// Gives out each airspace that can be used, in the order of designator and name.
  func forEach(_ each: (Area) throws -> Void) throws {
    for entry in directory.entries {
      try CancellationToken.current.check()
      do {
        try each(try area(entry))
      } catch let flaw as UnusableRow {
        report(.rowDropped, entry, flaw.column, flaw.value, flaw.reason)
      } catch let flaw as ShapeFlaw {
        drop(entry, flaw.rawValue)
      } catch let error as GDALError {
        drop(entry, error.message)
      }
    }
    for entry in directory.repeated {
      report(.rowRepeated, entry, nil, entry.area.designator, "the airspace is there twice")
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
    var wasMended = composition.wasMended
    let usage = entry.file.usage.filter { $0.areas.isEmpty || $0.areas.contains(entry.area.id) }
    let blank = record(entry, usage)
    let records = try composition.strata.compactMap { stratum -> AirspaceRecord? in
      let parts = try SpecialUseAirspaces.parts(of: stratum.area)
      guard !parts.isEmpty else { return nil }
      let made = try maker.shape(of: parts)
      wasMended = wasMended || made.wasMended
      var record = blank
      (record.floor, record.ceiling) = (stratum.band.lower, stratum.band.upper)
      (record.minimum, record.maximum) = (stratum.minimum, stratum.maximum)
      record.excluded = stratum.excluded.isEmpty ? nil : stratum.excluded.joined(separator: "; ")
      record.isComplete = composition.isComplete
      record.shape = made.shape
      return record
    }
    guard !records.isEmpty else { throw ShapeFlaw.noArea }
    if wasMended {
      report(.shapeMended, entry, nil, entry.area.name, "its boundary crossed or touched itself")
    }
    return Area(
      records: records, sheets: usage.flatMap(\.sheets), channels: entry.file.channels(of: entry.area))
  }

  /// The polygons of a composed area, without what is too small to be meant.
  private static func parts(of area: PlaneArea) throws -> [[ShapeRing]] {
    guard !area.isEmpty else { return [] }
    return try ShapeMaker.settled(area).compactMap { rings in
      guard abs(rings[0].doubledArea) / 2 >= leastArea else { return nil }
      return [rings[0]] + rings.dropFirst().filter { abs($0.doubledArea) / 2 >= leastArea }
    }
  }

  /// All but the band and the shape.
  private func record(_ entry: SpecialUseDirectory.Entry, _ usage: [SpecialUseTimes]) -> AirspaceRecord {
    let (file, area) = entry
    let agencies = file.agencies
    let hours = usage.compactMap(\.text)
    let notes = area.notes.joined(separator: "\n")
    return AirspaceRecord(
      kind: .specialUse, classification: classification(entry), type: area.type ?? "",
      designator: area.designator.isEmpty ? nil : area.designator,
      name: area.name.isEmpty ? area.designator : area.name, city: area.city,
      state: area.state.map { StateNames.code($0) }, agency: agencies.controlling,
      usingAgency: agencies.using,
      hours: hours.isEmpty ? SpecialUseAirspaces.timesOfUse(in: notes) : hours.joined(separator: "; "),
      activity: usage.lazy.compactMap(\.activity).first, remark: notes.isEmpty ? nil : notes,
      shape: MapShape([]))
  }

  /// The legal description says them as `Times of use. By NOTAM.`, where there is no timetable.
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

  private func drop(_ entry: SpecialUseDirectory.Entry, _ reason: String) {
    report(.rowDropped, entry, nil, entry.area.designator, reason)
  }

  private func report(
    _ kind: RecordProblem.Kind, _ entry: SpecialUseDirectory.Entry, _ column: String?, _ value: String,
    _ reason: String
  ) {
    problems.record(
      kind, file: SpecialUseDirectory.file, part: entry.file.name, line: entry.area.line, column: column,
      value: value,
      reason: reason)
  }
}
