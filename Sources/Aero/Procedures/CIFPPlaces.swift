/// The positions of fixes, by what legs, airways and sectors name them with.
struct CIFPPlaces {
  private struct Key: Hashable {
    /// The airport, the region and the section, eight bytes; and the identifier.
    let owner: UInt64
    let ident: UInt64
  }

  private static let width = 19
  /// Of a name of several places.
  private static let several = -1
  /// Columns, counted from 0: the airport's is always 6..<10.
  private typealias Source = (kind: CIFPRecord.Kind, ident: Range<Int>, region: Int)
  private static let sources: [Source] = [
    (CIFPRecord.Kind("EA"), 13..<18, 19), (CIFPRecord.Kind("PC"), 13..<18, 19),
    (CIFPRecord.Kind("HC"), 13..<18, 19),
    (CIFPRecord.Kind("D "), 13..<17, 19), (CIFPRecord.Kind("DB"), 13..<17, 19),
    (CIFPRecord.Kind("PN"), 13..<17, 19),
    (CIFPRecord.Kind("PG"), 13..<18, 10), (CIFPRecord.Kind("PI"), 13..<17, 10),
    (CIFPRecord.Kind("PA"), 6..<10, 10),
    (CIFPRecord.Kind("HA"), 6..<10, 10),
  ]
  /// Their fixes are known at their airport only: every airport may have an RW04L.
  private static let local = ["PC", "HC", "PG"].map { (text: StaticString) in CIFPRecord.Kind(text) }
  private static let blank = Array(repeating: UInt8(ascii: " "), count: 4)

  private let bytes: [UInt8]
  /// The places of the first bytes of a latitude and a longitude: of fixes of airports, of all others, and of those that only one
  /// airport names so.
  private var ofAirports: [Key: Int] = [:]
  private var enroute: [Key: Int] = [:]
  private var unique: [Key: Int] = [:]

  init(_ file: CIFPFile) {
    bytes = file.bytes
    for source in CIFPPlaces.sources {
      for record in file.records[source.kind] ?? [] { add(record, source) }
    }
  }

  private mutating func add(_ record: CIFPRecord, _ source: Source) {
    let start = record.start
    // A DME has no position of a VOR.
    guard let place = [start + 32, start + 55].first(where: { bytes[$0] != 0x20 }) else { return }
    let airport = bytes[start + 6..<start + 10]
    let ident = bytes[start + source.ident.lowerBound..<start + source.ident.upperBound]
    let region = bytes[start + source.region..<start + source.region + 2]
    let section = [source.kind.section, source.kind.subsection]
    let name = CIFPPlaces.key(CIFPPlaces.blank[...], ident, region, section)
    func settled(_ old: Int?) -> Int {
      let isSame = old.map { $0 != CIFPPlaces.several && text($0).elementsEqual(text(place)) } ?? true
      return isSame ? place : CIFPPlaces.several
    }
    guard !airport.elementsEqual("ENRT".utf8), !airport.elementsEqual(CIFPPlaces.blank) else {
      return enroute[name] = settled(enroute[name])
    }
    let own = CIFPPlaces.key(airport, ident, region, section)
    ofAirports[own] = settled(ofAirports[own])
    if !CIFPPlaces.local.contains(source.kind) { unique[name] = settled(unique[name]) }
  }

  private func text(_ place: Int) -> ArraySlice<UInt8> { bytes[place..<place + CIFPPlaces.width] }

  /// The latitude and the longitude of a fix as the file has them; empty if it is not there, or not the only one.
  func position(
    _ airport: ArraySlice<UInt8>, _ ident: ArraySlice<UInt8>, _ region: ArraySlice<UInt8>,
    _ section: ArraySlice<UInt8>
  ) -> ArraySlice<UInt8> {
    guard ident.first != 0x20 else { return [] }
    let name = CIFPPlaces.key(CIFPPlaces.blank[...], ident, region, section)
    let place = ofAirports[CIFPPlaces.key(airport, ident, region, section)] ?? enroute[name] ?? unique[name]
    return place.flatMap { $0 == CIFPPlaces.several ? nil : text($0) } ?? []
  }

  private static func key(
    _ airport: ArraySlice<UInt8>, _ ident: ArraySlice<UInt8>, _ region: ArraySlice<UInt8>,
    _ section: some Collection<UInt8>
  ) -> Key {
    var owner: UInt64 = 0
    for byte in airport { owner = owner << 8 | UInt64(byte) }
    for byte in region { owner = owner << 8 | UInt64(byte) }
    for byte in section { owner = owner << 8 | UInt64(byte) }
    var name: UInt64 = 0
    for byte in ident { name = name << 8 | UInt64(byte) }
    for _ in ident.count..<5 { name = name << 8 | 0x20 }
    return Key(owner: owner, ident: name)
  }
}
