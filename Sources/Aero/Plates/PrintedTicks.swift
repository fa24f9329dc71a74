/// A meridian or parallel of an airport diagram that has a label, such as `37°38'N`, with the strokes that draw it.
struct PrintedTick {
  let label: TickLabel
  let strokes: [PageDrawing.Stroke]
  var length: Double { strokes.reduce(0) { $0 + $1.length } }

  /// Shorter strokes have no direction that is good enough. In units of 1/72 inch.
  private static let shortest = 4.0
  /// The sine of the angle, half a degree, and the distance within which strokes are of the same line.
  private static let (slant, gap) = (0.0087, 0.5)
  private static let most = (labels: 50, lines: 8)

  /// Each label is on its line, which is interrupted for it. Since a label may be on other strokes too, the lines are chosen that
  /// have one direction for latitudes and the perpendicular one for longitudes, and are the longest ones together.
  static func all(in drawing: PageDrawing) throws(PlateDefect) -> [PrintedTick] {
    let labels = TickLabel.all(in: drawing.letters)
    guard !labels.isEmpty, labels.count <= most.labels else {
      throw PlateDefect(
        "it has \(labels.isEmpty ? "no readable" : "too many") labels of latitudes and longitudes")
    }
    let strokes = drawing.strokes.filter { $0.length >= shortest }
    let candidates = labels.map { lines(of: $0, strokes) }
    let choices = candidates.joined().map { tick in candidates.compactMap { $0.first { $0.fits(tick) } } }
    func length(_ choice: [PrintedTick]) -> Double { choice.reduce(0) { $0 + $1.length } }
    return choices.max { length($0) < length($1) } ?? []
  }

  /// The lines that may belong to a label, the longest one first.
  private static func lines(of label: TickLabel, _ strokes: [PageDrawing.Stroke]) -> [PrintedTick] {
    let near = strokes.filter { label.isOn($0) }.sorted { $0.length > $1.length }.prefix(most.lines)
    return near.map { first in
      PrintedTick(
        label: label,
        strokes: [first]
          + strokes.filter {
            first.slant($0.to - $0.from) <= slant && max(first.offset($0.from), first.offset($0.to)) <= gap
          })
    }.sorted { $0.length > $1.length }
  }

  /// Whether the directions of both are those of one graticule.
  private func fits(_ other: PrintedTick) -> Bool {
    var direction = other.strokes[0].to - other.strokes[0].from
    if label.isLatitude != other.label.isLatitude { direction = [-direction.y, direction.x] }
    return strokes[0].slant(direction) <= PrintedTick.slant
  }
}

/// A label of a latitude or a longitude.
struct TickLabel {
  let isLatitude: Bool
  let degrees: Double
  private let middle: PagePoint
  /// From the middle to its end, and to its top.
  private let (along, up): (PagePoint, PagePoint)

  /// The labels in the order in which they are drawn. A letter is of the word of the one before it if it is within one em of where
  /// that one ends.
  static func all(in letters: [PageDrawing.Letter]) -> [TickLabel] {
    var words: [[PageDrawing.Letter]] = []
    for letter in letters {
      if let last = words.last?.last,
        (letter.start - last.start).length <= (last.end - last.start).length + last.em.length
      {
        words[words.count - 1].append(letter)
      } else {
        words.append([letter])
      }
    }
    return words.compactMap { TickLabel($0) }
  }

  /// The codes of the marks of degrees and minutes differ from font to font, and the mark of degrees may be missing. Places of airports,
  /// such as `37°37'N-122°23'W`, are no labels.
  private init?(_ word: [PageDrawing.Letter]) {
    let text = String(String.UnicodeScalarView(word.map { UnicodeScalar(max($0.code, 0x20)) }))
    let label =
      /[^0-9A-Za-z]*([0-9]{2,3})[^0-9A-Za-z]?([0-9]{2}(?:\.[0-9]{1,3})?)[^0-9A-Za-z.]([NSEW])[^0-9A-Za-z]*/
    guard let match = text.wholeMatch(of: label), let whole = Double(match.1), let minutes = Double(match.2),
      minutes < 60
    else { return nil }
    isLatitude = "NS".contains(match.3)
    degrees = (whole + minutes / 60) * ("SW".contains(match.3) ? -1 : 1)
    let places = [match.1.startIndex, match.3.startIndex].map { text.distance(from: text.startIndex, to: $0) }
    let (first, last) = (word[places[0]], word[places[1]])
    // Digits are 0.7 em high.
    (along, up) = ((last.end - first.start) / 2, first.em * 0.35)
    middle = first.start + along + up
    guard degrees.magnitude <= (isLatitude ? 85 : 180) else { return nil }
  }

  /// Whether a line crosses the label and begins near it.
  func isOn(_ stroke: PageDrawing.Stroke) -> Bool {
    let room = stroke.offset(stroke.from + along) + stroke.offset(stroke.from + up)
    let away = min((stroke.from - middle).length, (stroke.to - middle).length)
    return stroke.offset(middle) <= room && away <= 2 * (along.length + up.length)
  }
}

extension PageDrawing.Stroke {
  /// How far a point is from the line of the stroke.
  fileprivate func offset(_ point: PagePoint) -> Double {
    let (along, away) = (to - from, point - from)
    return (along.x * away.y - along.y * away.x).magnitude / length
  }

  /// The sine of the angle to a direction.
  fileprivate func slant(_ direction: PagePoint) -> Double { offset(from + direction) / direction.length }
}
