/// The first 127 bytes of a PMTiles v3 file: the positions of its sections, and properties of its tiles.
public struct PMTilesHeader: Equatable, Sendable {
  /// A section of the file.
  public struct Section: Equatable, Sendable {
    public var offset = 0
    public var count = 0

    /// One past the last byte. The numbers are checked for overflow when they are read.
    var end: Int { offset + count }
  }

  public enum Compression: UInt8, Sendable {
    case unknown, none, gzip, brotli, zstd
  }

  public enum TileType: UInt8, Sendable {
    case unknown, mvt, png, jpeg, webp, avif, mlt
  }

  /// A position in ten-millionths of a degree.
  public struct Place: Equatable, Sendable {
    public var longitude: Int32 = 0
    public var latitude: Int32 = 0
  }

  public var root = Section()
  public var metadata = Section()
  public var leaves = Section()
  public var tiles = Section()
  public var addressedTiles = 0
  public var entries = 0
  public var contents = 0
  public var isClustered = true
  public var internalCompression = Compression.gzip
  public var tileCompression = Compression.none
  public var tileType = TileType.unknown
  public var minZoom: UInt8 = 0
  public var maxZoom: UInt8 = 0
  public var southWest = Place()
  public var northEast = Place()
  public var centerZoom: UInt8 = 0
  public var center = Place()

  public static let byteCount = 127
  /// The size of a reader's first request, which contains the header and the root.
  public static let firstRequest = 16_384
  public static let magic = Array("PMTiles".utf8)
  private static let version: UInt8 = 3

  init() {}

  init(_ bytes: [UInt8]) throws(ArchiveDefect) {
    guard bytes.count == PMTilesHeader.byteCount, bytes.starts(with: PMTilesHeader.magic) else {
      throw ArchiveDefect("it is not a PMTiles archive")
    }
    guard bytes[7] == PMTilesHeader.version else {
      throw ArchiveDefect("it is PMTiles version \(bytes[7]); only version 3 is supported")
    }
    var fields = ByteReader(bytes.dropFirst(8))
    root = try fields.section()
    metadata = try fields.section()
    leaves = try fields.section()
    tiles = try fields.section()
    addressedTiles = try fields.whole()
    entries = try fields.whole()
    contents = try fields.whole()
    isClustered = try fields.byte() == 1
    internalCompression = Compression(rawValue: try fields.byte()) ?? .unknown
    tileCompression = Compression(rawValue: try fields.byte()) ?? .unknown
    tileType = TileType(rawValue: try fields.byte()) ?? .unknown
    minZoom = try fields.byte()
    maxZoom = try fields.byte()
    southWest = try fields.place()
    northEast = try fields.place()
    centerZoom = try fields.byte()
    center = try fields.place()
  }

  var bytes: [UInt8] {
    var fields = PMTilesHeader.magic + [PMTilesHeader.version]
    for section in [root, metadata, leaves, tiles] {
      fields.append(whole: section.offset)
      fields.append(whole: section.count)
    }
    for count in [addressedTiles, entries, contents] { fields.append(whole: count) }
    fields += [isClustered ? 1 : 0, internalCompression.rawValue, tileCompression.rawValue]
    fields += [tileType.rawValue, minZoom, maxZoom]
    fields.append(southWest)
    fields.append(northEast)
    fields.append(centerZoom)
    fields.append(center)
    return fields
  }
}

/// A defect in an archive's bytes. A caller that knows the file converts it to a user error.
struct ArchiveDefect: Error {
  let problem: String

  init(_ problem: String) { self.problem = problem }
}

extension ByteReader {
  fileprivate mutating func section() throws(ArchiveDefect) -> PMTilesHeader.Section {
    let section = PMTilesHeader.Section(offset: try whole(), count: try whole())
    guard section.offset <= Int.max - section.count else { throw ArchiveDefect("its header is invalid") }
    return section
  }

  fileprivate mutating func place() throws(ArchiveDefect) -> PMTilesHeader.Place {
    PMTilesHeader.Place(
      longitude: Int32(truncatingIfNeeded: try little(4)), latitude: Int32(truncatingIfNeeded: try little(4)))
  }
}

extension [UInt8] {
  fileprivate mutating func append(whole number: Int) {
    Swift.withUnsafeBytes(of: UInt64(number).littleEndian) { append(contentsOf: $0) }
  }

  fileprivate mutating func append(_ place: PMTilesHeader.Place) {
    for angle in [place.longitude, place.latitude] {
      Swift.withUnsafeBytes(of: angle.littleEndian) { append(contentsOf: $0) }
    }
  }
}

/// Reads numbers from untrusted bytes.
struct ByteReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var remaining: Int { rest.count }

  mutating func byte() throws(ArchiveDefect) -> UInt8 {
    guard let byte = rest.popFirst() else { throw ArchiveDefect("a directory ends too early") }
    return byte
  }

  /// Little-endian.
  mutating func little(_ count: Int) throws(ArchiveDefect) -> UInt64 {
    var number: UInt64 = 0
    for shift in 0..<count { number |= UInt64(try byte()) << (8 * shift) }
    return number
  }

  /// Eight bytes.
  mutating func whole() throws(ArchiveDefect) -> Int { try ByteReader.representable(little(8)) }

  /// Seven bits in each byte, least significant first. The eighth bit marks that more follow.
  mutating func varint() throws(ArchiveDefect) -> Int {
    var number: UInt64 = 0
    for shift in stride(from: 0, to: 63, by: 7) {
      let byte = try byte()
      number |= UInt64(byte & 127) << shift
      if byte < 128 { return try ByteReader.representable(number) }
    }
    throw ArchiveDefect("a directory holds a number that is too large")
  }

  private static func representable(_ number: UInt64) throws(ArchiveDefect) -> Int {
    guard let number = Int(exactly: number) else { throw ArchiveDefect("a number in it is too large") }
    return number
  }
}

extension [UInt8] {
  mutating func append(varint number: Int) {
    var rest = number
    while rest > 127 {
      append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }
}
