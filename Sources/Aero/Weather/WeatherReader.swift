internal import ArchiveIO
internal import Core
internal import Foundation

/// Reads a file of aviationweather.gov, in any of its forms, as rows.
enum WeatherReader {
  private static let limits = (elements: 2_000_000, depth: 12)
  private static let largest = 100_000_000

  /// The rows of a file, and the number of those that are left out since they are later than the file itself.
  typealias Contents = (rows: [WeatherElement], future: Int)

  /// Throws a `WeatherDefect` for a file that is cut, damaged or something else.
  static func read(_ data: Data, _ name: String, as file: WeatherFile) throws -> Contents {
    let bytes = try unpacked(data)
    if name.contains(".csv") { return (try csv(Array(bytes), file), 0) }
    if name.hasSuffix(".json") { return (try features(bytes, file), 0) }
    let root = try xml(bytes)
    guard let list = root.child("data"), let count = list["num_results"].flatMap(Int.init) else {
      throw WeatherDefect("it is no file of aviationweather.gov")
    }
    let rows = list.all(file.element)
    guard rows.count == count, list.children.count == count else {
      throw WeatherDefect("it has \(Counts.of(rows.count, "row")), not \(count) as it says")
    }
    return past(rows, file, by: root["request_index"].flatMap(Int.init))
  }

  private static func unpacked(_ data: Data) throws -> Data {
    let bytes = Array(data)
    return try explaining({ WeatherDefect("\($0)") }) {
      Gzip.isCompressed(bytes) ? Data(try Gzip.decompress(bytes, limit: largest)) : data
    }
  }

  private static func xml(_ data: Data) throws -> WeatherElement {
    var root: WeatherElement?
    do throws(XMLDefect) {
      try XMLTreeReader<WeatherElement>(limits: limits, wanted: { $0 == "response" }) { root = $0 }.read(data)
    } catch {
      throw WeatherDefect(error.reason)
    }
    guard let root else { throw WeatherDefect("it is no file of aviationweather.gov") }
    return root
  }

  /// Leaves out rows that are later than the file, which has seconds since 1970 as its number since version 2.0. A row may be a few minutes
  /// ahead. If most are later, the number is something else.
  private static func past(_ rows: [WeatherElement], _ file: WeatherFile, by number: Int?) -> Contents {
    guard let time = file.time, let number, (0...1 << 40).contains(number) else { return (rows, 0) }
    let latest = Instant(secondsSince1970: number + WeatherFile.tolerance)
    let past = rows.filter { row in row.time([time]).map { $0 <= latest } ?? true }
    return past.count * 2 < rows.count ? (rows, 0) : (past, rows.count - past.count)
  }

  // MARK: - Other forms

  /// The rows of a CSV file. The older form has lines before its header.
  private static func csv(_ bytes: [UInt8], _ file: WeatherFile) throws -> [WeatherElement] {
    try bytes.withUnsafeBufferPointer { bytes in
      var (scanner, record, header) = (CSVScanner(bytes), CSVRecord(), [String]())
      var rows: [WeatherElement] = []
      while scanner.next(&record) {
        let fields = record.fields.map { CSVValue($0, in: bytes).text }
        if header.isEmpty {
          if ["raw_text", "receipt_time"].contains(fields.first) { header = fields }
        } else if record.flaw == nil, fields.count == header.count {
          rows.append(row(zip(header, fields), file))
        } else {
          let raw = String(decoding: bytes[record.range(in: bytes)].prefix(2000), as: UTF8.self)
          rows.append(WeatherElement(WeatherFile.broken, text: raw))
        }
      }
      guard !header.isEmpty else { throw WeatherDefect("it has no header, or is another file") }
      return rows
    }
  }

  /// A layer begins where the first of its columns comes again.
  private static func row(_ values: Zip2Sequence<[String], [String]>, _ file: WeatherFile) -> WeatherElement {
    let row = WeatherElement(file.element)
    var open: (layer: WeatherElement, first: String)?
    for (column, value) in values {
      if let name = WeatherFile.layers[column.prefix { $0 != "_" }] {
        if open == nil || open?.layer.name != name || open?.first == column {
          open = (WeatherElement(name), column)
        }
        guard !value.isEmpty, let layer = open?.layer else { continue }
        if layer.attributes.isEmpty { row.add(layer) }
        layer.attributes[column] = value
      } else if !value.isEmpty {
        row.add(WeatherElement(column, text: value))
      }
    }
    return row
  }

  /// The features of a GeoJSON document.
  private static func features(_ data: Data, _ file: WeatherFile) throws -> [WeatherElement] {
    if let flaw = JSONText(data, .json).flaw { throw WeatherDefect(flaw) }
    guard case .array(let features)? = JSONValue.members(of: data)?["features"] else {
      throw WeatherDefect("it is no list of features")
    }
    return features.map { feature in
      let row = WeatherElement(file.element)
      for (name, value) in feature["properties"]?.members ?? [:] where value != .null {
        row.add(WeatherElement(name, text: value.text ?? ""))
      }
      // A polygon without holes, as all of them are.
      let numbers = feature["geometry"]?["coordinates"]?.numbers ?? []
      let pairs = stride(from: 0, to: numbers.count - 1, by: 2).map { "\(numbers[$0]):\(numbers[$0 + 1])" }
      row.add(WeatherElement(WeatherFile.pairs, text: pairs.joined(separator: ";")))
      return row
    }
  }
}

extension JSONValue {
  fileprivate var members: [String: JSONValue]? {
    if case .object(let members) = self { members } else { nil }
  }
  fileprivate subscript(name: String) -> JSONValue? { members?[name] }

  /// The numbers in an array and in arrays in it.
  fileprivate var numbers: [Double] {
    switch self {
    case .array(let values): values.flatMap(\.numbers)
    case .integer(let number): [Double(number)]
    case .number(let number): [number]
    default: []
    }
  }
}

/// Why a weather file cannot be used.
struct WeatherDefect: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
