internal import Foundation

/// A procedure: the legs of an airport with one identifier.
struct CIFPProcedure {
  let kind: CIFPRecord.Kind
  let airport: String
  let region: String
  let identifier: String
  fileprivate(set) var type: String?
  fileprivate(set) var transitions: [String] = []
  fileprivate(set) var levels: [String] = []
  fileprivate(set) var performances: [String] = []
  fileprivate(set) var legs = 0

  private static let kinds = ["D": "sid", "E": "star", "F": "approach"]
  private static let words: [String: String] = [
    "B": "LOC BC", "D": "VOR/DME", "F": "FMS", "G": "IGS", "H": "RNAV (RNP)", "I": "ILS", "J": "GLS",
    "L": "LOC",
    "M": "MLS", "N": "NDB", "P": "GPS", "Q": "NDB/DME", "R": "RNAV (GPS)", "S": "VOR", "T": "TACAN",
    "U": "SDF",
    "V": "VOR", "X": "LDA",
  ]

  fileprivate static func list(_ items: [String]) -> String {
    "[" + items.map { "\"\($0.filter { $0 != "\"" && $0 != "\\" })\"" }.joined(separator: ",") + "]"
  }

  fileprivate var word: String { CIFPProcedure.kinds[String(kind.description.suffix(1))] ?? "" }

  /// The runway of an approach: 04R of I04R, H28RY and R04R-Z.
  private var parts: (runway: String, suffix: String)? {
    let digits = identifier.dropFirst().prefix(2)
    guard word == "approach", digits.count == 2, digits.allSatisfy({ "0123456789".contains($0) }) else {
      return nil
    }
    var rest = identifier.dropFirst(3)
    let side = rest.prefix { "LCRWGSU".contains($0) }.prefix(1)
    rest = rest.dropFirst(side.count)
    if rest.first == "-" { rest.removeFirst() }
    return rest.count < 2 && rest.allSatisfy(\.isLetter) ? (String(digits + side), String(rest)) : nil
  }

  fileprivate var runway: String? { parts.map { "RW" + $0.runway } }

  /// `ILS Z RWY 04R`, `VOR-A`, `COPTER RNAV (GPS) 027`. The letters S to Z distinguish approaches of one kind to
  /// one runway. Other letters stand for kinds of approaches that the file does not name, so there is no name: C may be a converging approach.
  fileprivate var name: String? {
    guard word == "approach", let type, let words = CIFPProcedure.words[type] else { return nil }
    if let parts {
      guard parts.suffix.isEmpty || ("S"..."Z").contains(parts.suffix) else { return nil }
      return "\(words)\(parts.suffix.isEmpty ? "" : " " + parts.suffix) RWY \(parts.runway)"
    }
    let rest = identifier.dropFirst()
    if rest.count == 3, rest.allSatisfy(\.isNumber) { return "COPTER \(words) \(rest)" }
    let letter = identifier.dropFirst(3).drop { $0 == "-" }
    return letter.count == 1 && letter.allSatisfy(\.isUppercase) ? "\(words)-\(letter)" : nil
  }

  static let table = RecordTable<(id: Int, procedure: CIFPProcedure)>(
    "procedures", "Departures, arrivals and approaches; their legs are in legs.",
    [
      .init("id", "INTEGER PRIMARY KEY") { $0.id },
      .init("section", "TEXT NOT NULL", "PD, PE, PF; HD, HE, HF of heliports.") {
        $0.procedure.kind.description
      },
      .init("airport", "TEXT NOT NULL") { $0.procedure.airport },
      .init("identifier", "TEXT NOT NULL", "As in legs.procedure: I04R, CAMRN4.") { $0.procedure.identifier },
      .init("kind", "TEXT NOT NULL", words: ["sid", "star", "approach"]) { $0.procedure.word },
      .init("type", "TEXT", "The route type of an approach: I ILS, R RNAV (GPS), H RNAV (RNP) ...") {
        $0.procedure.type
      },
      .init(
        "name", "TEXT",
        "Of an approach: ILS Z RWY 04R; NULL for the others, whose names the file does not have."
      ) {
        $0.procedure.name
      },
      .init("runway", "TEXT", "Of an approach to one: RW04R.") { $0.procedure.runway },
      .init("transitions", "TEXT NOT NULL", "A JSON array in the order of the file: [\"ALL\",\"RW04L\"].") {
        list($0.procedure.transitions)
      },
      .init(
        "serviceLevels", "TEXT NOT NULL", "A JSON array of those that are authorized: [\"LPV\",\"LNAV\"]."
      ) {
        list($0.procedure.levels)
      },
      .init(
        "performances", "TEXT NOT NULL", "A JSON array of nautical miles, of RNAV (RNP): [\"0.1\",\"0.3\"]."
      ) {
        list($0.procedure.performances)
      },
      .init("legs", "INTEGER NOT NULL", "How many.") { $0.procedure.legs },
    ], indexes: [["airport", "identifier"]])
}

/// Collects the procedures from their legs, and knows which of these are of the missed approach.
struct CIFPProcedureList {
  private(set) var procedures: [CIFPProcedure] = []
  private var numbers: [String: Int] = [:]
  /// The route of the last leg: the columns that its legs have in common, and its place in `procedures`.
  private var route: (columns: [UInt8], kind: CIFPRecord.Kind, number: Int)?
  private var isMissed = false

  /// Takes the next leg; returns whether it is of the missed approach.
  mutating func take(_ row: ArraySlice<UInt8>, _ kind: CIFPRecord.Kind) -> Bool {
    let first = row.startIndex
    func text(_ columns: ClosedRange<Int>) -> String {
      String(decoding: row[first + columns.lowerBound - 1..<first + columns.upperBound], as: UTF8.self)
        .trimmingCharacters(in: .whitespaces)
    }
    let number: Int
    if let route, route.kind == kind, row[first + 6..<first + 25].elementsEqual(route.columns) {
      number = route.number
    } else {
      number = begin(row, kind, text)
      route = (Array(row[first + 6..<first + 25]), kind, number)
      isMissed = false
    }
    if kind.subsection == UInt8(ascii: "F"), row[first + 41] == UInt8(ascii: "M") { isMissed = true }
    procedures[number].legs += 1
    if row[first + CIFPRow.continuation] != 0x20 { addLevels(row, number, text) }
    return isMissed
  }

  /// Begins a route of a procedure, which may be new. Returns the place of the procedure.
  private mutating func begin(
    _ row: ArraySlice<UInt8>, _ kind: CIFPRecord.Kind, _ text: (ClosedRange<Int>) -> String
  ) -> Int {
    let first = row.startIndex
    let key = String(decoding: row[first + 6..<first + 19], as: UTF8.self) + kind.description
    let number = numbers[key] ?? procedures.count
    if number == procedures.count {
      numbers[key] = number
      procedures.append(
        CIFPProcedure(kind: kind, airport: text(7...10), region: text(11...12), identifier: text(14...19)))
    }
    let type = row[first + 19]
    if kind.subsection == UInt8(ascii: "F"), type != UInt8(ascii: "A"), type != 0x20,
      procedures[number].type == nil
    {
      procedures[number].type = text(20...20)
    }
    add(text(21...25), to: \.transitions, of: number)
    return number
  }

  private mutating func addLevels(
    _ row: ArraySlice<UInt8>, _ number: Int, _ text: (ClosedRange<Int>) -> String
  ) {
    let base = CIFPRow.continuation
    for (code, name) in [(41, 42...51), (52, 53...62), (63, 64...73)]
    where text(base + code...base + code) == "A" {
      add(text(base + name.lowerBound...base + name.upperBound), to: \.levels, of: number)
    }
    for code in [89, 93, 97, 101] where text(base + code...base + code) == "A" {
      let digits = text(base + code + 1...base + code + 3)
      guard let value = Int(digits), digits.count == 3 else { continue }
      let divisor = [1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9][value % 10]
      add("\(Double(value / 10) / divisor)", to: \.performances, of: number)
    }
  }

  private mutating func add(_ item: String, to list: WritableKeyPath<CIFPProcedure, [String]>, of number: Int)
  {
    if !item.isEmpty, !procedures[number][keyPath: list].contains(item) {
      procedures[number][keyPath: list].append(item)
    }
  }
}
