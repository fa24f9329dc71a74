/// A runway with its airport, and where it and its ends lie in their files.
struct LinkedRunway {
  /// The airport's number in the directory.
  let airport: Int
  let id: String
  let place: RowPlace
  let length: Int?
  var base: RowPlace?
  var reciprocal: RowPlace?
}

/// Puts runways to their airports, and ends to their runways.
struct RunwayLinks {
  private struct Key: Hashable {
    let airport: Int
    let runway: String
  }

  private let directory: AirportDirectory
  private let problems: ProblemLog
  private var linked: [LinkedRunway] = []
  private var numbers: [Key: Int] = [:]

  /// In the order of the airports, then of the runways' names. What belongs nowhere is dropped and recorded.
  static func link(
    _ runways: [Runway], _ ends: [RunwayEnd], to directory: AirportDirectory, problems: ProblemLog
  ) -> [LinkedRunway] {
    var links = RunwayLinks(directory: directory, problems: problems)
    for runway in runways { links.add(runway) }
    for end in ends { links.add(end) }
    return links.linked.sorted { ($0.airport, $0.id) < ($1.airport, $1.id) }
  }

  private init(directory: AirportDirectory, problems: ProblemLog) {
    self.directory = directory
    self.problems = problems
  }

  private mutating func add(_ runway: Runway) {
    guard let airport = directory.number(of: runway.site) else {
      return drop(
        Runway.file, runway.place, "SITE_NO", runway.site.number, AirportDirectory.noSuchSite)
    }
    let number = numbers.updateValue(linked.count, forKey: Key(airport: airport, runway: runway.id))
    if let number {
      numbers[Key(airport: airport, runway: runway.id)] = number
      return drop(Runway.file, runway.place, "RWY_ID", runway.id, "the runway is there twice")
    }
    linked.append(
      LinkedRunway(airport: airport, id: runway.id, place: runway.place, length: runway.length))
  }

  /// Which of the two ends it is, the two halves of the runway's name tell.
  private mutating func add(_ end: RunwayEnd) {
    let airport = directory.number(of: end.site)
    guard let number = airport.flatMap({ numbers[Key(airport: $0, runway: end.runway)] }) else {
      return drop(RunwayEnd.file, end.place, "RWY_ID", end.runway, "there is no such runway")
    }
    let names = Runway.ends(of: end.runway)
    if end.id == names.base, linked[number].base == nil {
      linked[number].base = end.place
    } else if end.id == names.reciprocal, linked[number].reciprocal == nil {
      linked[number].reciprocal = end.place
    } else {
      drop(
        RunwayEnd.file, end.place, "RWY_END_ID", end.id, "it is no end of \(end.runway), or one too many")
    }
  }

  private func drop(_ file: String, _ place: RowPlace, _ column: String, _ value: String, _ reason: String) {
    problems.drop(UnusableRow(column: column, value: value, reason: reason), file, line: place.line)
  }
}
