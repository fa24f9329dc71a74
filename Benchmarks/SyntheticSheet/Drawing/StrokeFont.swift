/// A small font of strokes on a grid five points wide and seven high: pairs of digits x y, y upward, blanks between
/// strokes; a slash stands for one below the line. Drawn with a round pen it keeps its form at any size.
enum StrokeFont {
  static let glyphs: [Character: [[(x: Double, y: Double)]]] = table.mapValues { text in
    text.split(separator: " ").map { stroke in
      let digits = stroke.utf8.map { Double($0) - 48 }
      return stride(from: 0, to: digits.count - 1, by: 2).map { (digits[$0], digits[$0 + 1]) }
    }
  }

  /// Units from one letter to the next; narrow ones take less.
  static func advance(_ character: Character) -> Double {
    switch character {
    case "I", ".", ",", "'", ":", "1", "|": 4
    case " ": 3.6
    default: 6
    }
  }

  private static let table: [Character: String] = [
    "A": "002640 1232", "B": "00063645443303 33424130 3000", "C": "4536160501103041",
    "D": "00062644422000", "E": "46060040 0333", "F": "460600 0333", "G": "45361605011030414323",
    "H": "0006 4046 0343", "I": "2026", "J": "4641301001", "K": "0006 460340", "L": "060040",
    "M": "0006234640", "N": "00064046", "O": "100105163645413010", "P": "00063645443303",
    "Q": "100105163645413010 2240", "R": "00063645443303 2340", "S": "453616050413334241301001",
    "T": "0646 2620", "U": "060110304146", "V": "062046", "W": "0610243046", "X": "0046 0640",
    "Y": "062346 2320", "Z": "06460040", "0": "100105163645413010", "1": "152620",
    "2": "05163645440040", "3": "05163645443323 334241301001", "4": "30360242",
    "5": "460603334241301001", "6": "4536160501103041423302", "7": "064610",
    "8": "130405163645443313 1302011030414233", "9": "0110304145361605041344", ".": "20",
    ",": "201/", "-": "1333", "/": "0046", "(": "36252130", ")": "16252110", ":": "21 24",
    "'": "2624", "+": "2124 0343", "*": "1234 1432 2125", "&": "40041526350201103042",
    "\u{B0}": "1526352415", "=": "0242 0444", "|": "2026",
  ]
}
