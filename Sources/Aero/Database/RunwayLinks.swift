/// A runway with its airport and its ends.
struct LinkedRunway {
  /// The airport's number in the directory.
  let airport: Int
  let runway: Runway
  let base: RunwayEnd?
  let reciprocal: RunwayEnd?
}

/// Puts runways to their airports, and ends to their runways.
enum RunwayLinks {
  private struct Key: Hashable {
    let airport: Int
    let runway: String
  }

  /// In the order of the airports, then of the runways' names. What belongs nowhere is dropped and recorded.
  static func link(
    _ runways: [Runway], _ ends: [RunwayEnd], to directory: AirportDirectory, problems: ProblemLog
  ) -> [LinkedRunway] {
    var places: [Key: Runway] = [:]
    for runway in runways {
      guard let airport = directory.number(of: runway.site) else {
        drop(Runway.file, runway.line, "SITE_NO", runway.site.number, "there is no such airport", problems)
        continue
      }
      let key = Key(airport: airport, runway: runway.id)
      if places[key] == nil {
        places[key] = runway
      } else {
        drop(Runway.file, runway.line, "RWY_ID", runway.id, "the runway is there twice", problems)
      }
    }
    let sides = sort(ends, into: places, directory, problems)
    return places.sorted { ($0.key.airport, $0.key.runway) < ($1.key.airport, $1.key.runway) }.map {
      key, runway in
      LinkedRunway(
        airport: key.airport, runway: runway, base: sides[key]?.base, reciprocal: sides[key]?.reciprocal)
    }
  }

  /// The one or two ends of each runway, told apart by the two halves of the runway's name.
  private static func sort(
    _ ends: [RunwayEnd], into runways: [Key: Runway], _ directory: AirportDirectory, _ problems: ProblemLog
  ) -> [Key: (base: RunwayEnd?, reciprocal: RunwayEnd?)] {
    var sides: [Key: (base: RunwayEnd?, reciprocal: RunwayEnd?)] = [:]
    for end in ends {
      let key = directory.number(of: end.site).map { Key(airport: $0, runway: end.runway) }
      guard let key, let names = runways[key]?.ends else {
        drop(RunwayEnd.file, end.line, "RWY_ID", end.runway, "there is no such runway", problems)
        continue
      }
      if end.id == names.base, sides[key]?.base == nil {
        sides[key, default: (nil, nil)].base = end
      } else if end.id == names.reciprocal, sides[key]?.reciprocal == nil {
        sides[key, default: (nil, nil)].reciprocal = end
      } else {
        drop(
          RunwayEnd.file, end.line, "RWY_END_ID", end.id, "it is no end of \(end.runway), or one too many",
          problems)
      }
    }
    return sides
  }

  private static func drop(
    _ file: String, _ line: Int, _ column: String, _ value: String, _ reason: String, _ problems: ProblemLog
  ) {
    problems.record(.rowDropped, file: file, line: line, column: column, value: value, reason: reason)
  }
}
