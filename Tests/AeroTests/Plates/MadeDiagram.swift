import Foundation

@testable import ChartpipeKit

/// An airport diagram of one page in the form of the FAA's: meridians and parallels, each interrupted by its label.
struct MadeDiagram {
  typealias Line = (label: String, minutes: Double)

  static let middle = (latitude: 40.5, longitude: -100.25)
  private static let size = (width: 387.0, height: 594.0)

  /// By how many degrees north is to the left of up, and by how many the page is turned to the right to be shown.
  var turn = 0.0
  var rotate = 0
  /// Units of the page for a minute of latitude, and how much longer those for the same distance to the east are.
  var scale = 150.0
  var stretch = 1.0
  /// How far meridians lean to the east.
  var lean = 0.0
  /// Labels, and the places of their lines in minutes from the middle of the page.
  var parallels: [Line] = [("40\\26029'N", -1), ("40\\26030'N", 0), ("40\\26031'N", 1)]
  var meridians: [Line] = [("100\\26015.5'W", -0.5), ("100\\26014.5'W", 0.5)]
  /// What the page draws besides.
  var others = ""

  /// Where a place is on the page.
  private func point(_ north: Double, _ east: Double) -> (x: Double, y: Double) {
    let latitude = Self.middle.latitude * .pi / 180
    let unit = cos(latitude) * (1 - 0.00669438 * pow(sin(latitude), 2)) / (1 - 0.00669438)
    let (right, up) = (scale * (east * unit * stretch + north * lean), scale * north)
    let (cosine, sine) = (cos(turn * .pi / 180), sin(turn * .pi / 180))
    return (
      Self.size.width / 2 + right * cosine - up * sine, Self.size.height / 2 + right * sine + up * cosine
    )
  }

  /// Where a place is on the shown page, in shares from its upper left corner.
  func share(_ north: Double, _ east: Double) -> (across: Double, down: Double) {
    let point = point(north, east)
    var share = (across: point.x / Self.size.width, down: 1 - point.y / Self.size.height)
    for _ in 0..<rotate / 90 { share = (1 - share.down, share.across) }
    return share
  }

  var page: PlatePage { PlatePage(bytes: Array(pdf.utf8)) }

  private var pdf: String {
    let lines =
      parallels.map { line in draw(line.label, [-1, -0.1, 0.1, 1].map { point(line.minutes, $0) }) }
      + meridians.map { line in draw(line.label, [-1.4, -0.7, -0.6, 1.4].map { point($0, line.minutes) }) }
    let content = others + "\n" + lines.joined()
    return """
      %PDF-1.4
      1 0 obj
      << /Type /Page /Parent 3 0 R /MediaBox [ 0 0 387 594 ] /Rotate \(rotate) /Contents [ 2 0 R ] >>
      endobj
      2 0 obj
      << /Length \(content.utf8.count) >>
      stream
      \(content)
      endstream
      endobj
      3 0 obj
      << /Type /Pages /Kids [ 1 0 R ] /Count 1 >>
      endobj
      4 0 obj
      << /Type /Catalog /Pages 3 0 R >>
      endobj
      trailer
      << /Root 4 0 R >>
      %%EOF

      """
  }

  /// Two strokes along four points, and a label in the gap between them, written eastward.
  private func draw(_ label: String, _ points: [(x: Double, y: Double)]) -> String {
    func text(_ numbers: Double...) -> String {
      numbers.map { String(format: "%.5f", $0) }.joined(separator: " ")
    }
    let strokes = [(points[0], points[1]), (points[2], points[3])].map { from, to in
      "q 1 0 0 1 \(text(from.x, from.y)) cm 0 0 m \(text(to.x - from.x, to.y - from.y)) l S Q\n"
    }
    let (cosine, sine) = (cos(turn * .pi / 180), sin(turn * .pi / 180))
    let middle = ((points[1].x + points[2].x) / 2, (points[1].y + points[2].y) / 2)
    // A letter has a width of 2.5 and a height of 3.5.
    let half = 1.25 * Double(label.replacing("\\260", with: "o").count)
    let start = (middle.0 - half * cosine + 1.75 * sine, middle.1 - half * sine - 1.75 * cosine)
    let matrix = text(cosine, sine, -sine, cosine, start.0, start.1)
    return strokes.joined() + "BT /F1 5 Tf \(matrix) Tm (\(label))Tj ET\n"
  }
}
