internal import Foundation
internal import ImageIO

/// An opaque page for pictures, lines and captions. Drawing beyond its edges has no effect.
struct PageCanvas {
  typealias Color = (red: UInt8, green: UInt8, blue: UInt8)

  private(set) var image: RGBAImage

  init(width: Int, height: Int, _ paper: Color) {
    let pixel = [paper.red, paper.green, paper.blue, 255]
    let row = Array(repeating: pixel, count: width).flatMap(\.self)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(row.count * height)
    for _ in 0..<height { pixels += row }
    image = RGBAImage(width: width, height: height, pixels: pixels)
  }

  /// - Parameter strength: of 256.
  mutating func dot(_ x: Int, _ y: Int, _ color: Color, strength: Int = 256) {
    guard (0..<image.width).contains(x), (0..<image.height).contains(y) else { return }
    let start = (y * image.width + x) * 4
    for (channel, ink) in [color.red, color.green, color.blue].enumerated() {
      let paper = Int(image.pixels[start + channel])
      image.pixels[start + channel] = UInt8((paper * (256 - strength) + Int(ink) * strength) >> 8)
    }
  }

  /// Draws a picture over a checkerboard, with each pixel enlarged to a square.
  mutating func place(_ picture: RGBAImage, x: Int, y: Int, enlarged: Int = 1) {
    let (side, width) = (enlarged, image.width)
    precondition(x >= 0 && y >= 0 && x + picture.width * side <= width)
    precondition(y + picture.height * side <= image.height)
    picture.pixels.withUnsafeBytes { from in
      image.pixels.withUnsafeMutableBytes { to in
        for row in 0..<picture.height * side {
          for column in 0..<picture.width * side {
            let source = (row / side * picture.width + column / side) * 4
            let target = ((y + row) * width + x + column) * 4
            let alpha = Int(from[source + 3])
            let paper = PageCanvas.checkerboard(column, row)
            for channel in 0..<3 {
              to[target + channel] = UInt8(
                (Int(from[source + channel]) * alpha + paper * (255 - alpha)) / 255)
            }
          }
        }
      }
    }
  }

  /// Two greys that no chart's paper has.
  static func checkerboard(_ x: Int, _ y: Int) -> Int { (x / 8 + y / 8).isMultiple(of: 2) ? 168 : 192 }

  mutating func line(
    from a: (x: Double, y: Double), to b: (x: Double, y: Double), _ color: Color, inside frame: PixelBox
  ) {
    let steps = max(1, Int(max(abs(b.x - a.x), abs(b.y - a.y)).rounded(.up)))
    for step in 0...steps {
      let share = Double(step) / Double(steps)
      let x = Int((a.x + (b.x - a.x) * share).rounded(.down))
      let y = Int((a.y + (b.y - a.y) * share).rounded(.down))
      guard (0..<frame.width).contains(x), (0..<frame.height).contains(y) else { continue }
      dot(frame.column + x, frame.row + y, color)
    }
  }

  /// - Parameter size: the side of a letter's dot, in pixels.
  mutating func text(_ text: String, x: Int, y: Int, size: Int, _ color: Color) {
    for (index, letter) in CaptionFont.letters(text).enumerated() {
      let left = x + index * CaptionFont.advance * size
      for (row, dots) in CaptionFont.rows(letter).enumerated() {
        for column in 0..<CaptionFont.width where dots >> (CaptionFont.width - 1 - column) & 1 == 1 {
          for place in 0..<size * size {
            dot(left + column * size + place % size, y + row * size + place / size, color)
          }
        }
      }
    }
  }
}

/// Capital letters of five by seven dots, for captions in a picture.
enum CaptionFont {
  static let width = 5
  static let height = 7

  /// Returns the rows of a letter from the top, with the leftmost dot in the highest of five bits. Unknown letters look like `?`.
  static func rows(_ letter: Character) -> [UInt8] { glyphs[letter] ?? unknown }

  /// Converts a text to these letters.
  static func letters(_ text: String) -> [Character] {
    Array(text.folding(options: .diacriticInsensitive, locale: nil).uppercased())
  }

  /// Dots from the left edge of a letter to that of the next.
  static let advance = width + 1

  private static let unknown = rows("0E110102040004")

  private static let glyphs: [Character: [UInt8]] = table.mapValues(rows)

  /// Two hexadecimal digits a row.
  private static func rows(_ digits: String) -> [UInt8] {
    let digits = Array(digits)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16) ?? 0 }
  }

  private static let table: [Character: String] = [
    "A": "0E11111F111111", "B": "1E11111E11111E", "C": "0E11101010110E", "D": "1E11111111111E",
    "E": "1F10101E10101F", "F": "1F10101E101010", "G": "0E11101711110F", "H": "1111111F111111",
    "I": "0E04040404040E", "J": "0702020202120C", "K": "11121418141211", "L": "1010101010101F",
    "M": "111B1515111111", "N": "11191513111111", "O": "0E11111111110E", "P": "1E11111E101010",
    "Q": "0E11111115120D", "R": "1E11111E141211", "S": "0F10100E01011E", "T": "1F040404040404",
    "U": "1111111111110E", "V": "11111111110A04", "W": "11111115151B11", "X": "11110A040A1111",
    "Y": "11110A04040404", "Z": "1F01020408101F", "0": "0E11131519110E", "1": "040C040404040E",
    "2": "0E11010608101F", "3": "1E01010E01011E", "4": "02060A121F0202", "5": "1F101E0101110E",
    "6": "0608101E11110E", "7": "1F010204080808", "8": "0E11110E11110E", "9": "0E11110F01020C",
    " ": "00000000000000", ".": "00000000000C0C", ",": "000000000C0408", "-": "0000001F000000",
    ":": "000C0C000C0C00", "/": "01010204081010", "(": "02040808080402", ")": "08040202020408",
    "'": "04040800000000", "&": "0C12140815120D", "+": "0004041F040400", "_": "0000000000001F",
    "=": "00001F001F0000", "#": "0A0A1F0A1F0A0A", "%": "18190204081303", "\u{B0}": "0C12120C000000",
  ]
}
