internal import ArchiveIO
internal import Core
internal import Foundation

/// Reads a file of aviationweather.gov, in any of its forms, as rows.
enum WeatherReader {
  private static let largest = 50_000_000

  /// Throws a `WeatherDefect` for a file that is cut, damaged or something else.
  static func read(_ data: Data, _ name: String, as file: WeatherFile) throws -> [WeatherElement] {
    let bytes = try explaining({ WeatherDefect(description: "\($0)") }) {
      Gzip.isCompressed(Array(data.prefix(3))) ? Data(try Gzip.decompress(Array(data), limit: largest)) : data
    }
    if name.contains(".csv") { return try csv(Array(bytes), file) }
    if name.hasSuffix(".json") { return try features(bytes, file) }
    var root: WeatherElement?
    let reader = XMLTreeReader<WeatherElement>(limits: (1_000_000, 12), wanted: { $0 == "response" }) {
      root = $0
    }
    try explaining({ WeatherDefect(description: ($0 as? XMLDefect)?.reason ?? "\($0)") }) {
      try reader.read(bytes)
    }
    guard let root, let list = root.child("data"), let count = list["num_results"].flatMap(Int.init) else {
      throw WeatherDefect(description: "it is no file of aviationweather.gov")
    }
    let rows = list.all(file.element)
    guard rows.count == count, list.children.count == count else {
      throw WeatherDefect(description: "it has \(Counts.of(rows.count, "row")), not \(count) as it says")
    }
    return rows
  }

  // MARK: - Other forms

  /// The rows of a CSV file. The older form has lines before its header.
  private static func csv(_ bytes: [UInt8], _ file: WeatherFile) throws -> [WeatherElement] {
    try bytes.withUnsafeBufferPointer { bytes in
      var (scanner, record, header) = (CSVScanner(bytes), CSVRecord(), [String]())
      var rows: [WeatherElement] = []
      while scanner.next(&record) {
        let fields = record.fields.map { CSVValue($0, in: bytes).text }
        let rest = fields.dropFirst(header.count)
        if header.isEmpty {
          if ["raw_text", "receipt_time"].contains(fields.first) { header = fields }
        } else if record.flaw == nil, fields.count >= header.count, rest.allSatisfy(\.isEmpty) {
          rows.append(row(zip(header, fields), file))
        } else {
          let raw = String(decoding: bytes[record.range(in: bytes)].prefix(2000), as: UTF8.self)
          rows.append(WeatherElement(WeatherFile.broken))
          rows.last?.add(raw)
        }
      }
      guard !header.isEmpty else { throw WeatherDefect(description: "it has no header, or is another file") }
      return rows
    }
  }

  /// Some columns repeat: `sky_cover,cloud_base_ft_agl` again and again. A layer begins where the first of them comes again.
  private static func row(_ values: Zip2Sequence<[String], [String]>, _ file: WeatherFile) -> WeatherElement {
    let row = WeatherElement(file.element)
    var open: (layer: WeatherElement, first: String)?
    for (column, value) in values {
      let word = column.prefix { $0 != "_" }
      if ["sky", "cloud", "turbulence", "icing"].contains(word) {
        let name = "\(word == "cloud" ? "sky" : word)_condition"
        if open == nil || open?.layer.name != name || open?.first == column {
          open = (WeatherElement(name), column)
        }
        guard !value.isEmpty, let layer = open?.layer else { continue }
        if layer.attributes.isEmpty { row.add(layer) }
        layer.attributes[column] = value
      } else if !value.isEmpty {
        row.add(column, text: value)
      }
    }
    return row
  }

  /// The features of a GeoJSON document.
  private static func features(_ data: Data, _ file: WeatherFile) throws -> [WeatherElement] {
    if let flaw = JSONText(data, .json).flaw { throw WeatherDefect(description: flaw) }
    let document = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    guard let features = document?["features"] as? [[String: Any]] else {
      throw WeatherDefect(description: "it is no list of features")
    }
    return features.map { feature in
      let row = WeatherElement(file.element)
      for (name, value) in feature["properties"] as? [String: Any] ?? [:] where !(value is NSNull) {
        row.add(name, text: "\(value)")
      }
      // A polygon without holes, as all of them are.
      let numbers = numbers((feature["geometry"] as? [String: Any])?["coordinates"])
      let pairs = stride(from: 0, to: numbers.count - 1, by: 2).map { "\(numbers[$0]):\(numbers[$0 + 1])" }
      row.add(WeatherFile.pairs, text: pairs.joined(separator: ";"))
      return row
    }
  }

  /// The numbers in arrays at any depth.
  private static func numbers(_ value: Any?) -> [Double] {
    (value as? [Any])?.flatMap(numbers) ?? (value as? NSNumber).map { [$0.doubleValue] } ?? []
  }
}

/// Why a weather file cannot be used.
struct WeatherDefect: Error, CustomStringConvertible { let description: String }
