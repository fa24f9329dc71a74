/// What a pixel of a sheet is, as far as its colour tells.
enum PrintKind: UInt8 {
  /// The colours of the map: land, water, cities, and coloured print.
  case tint
  /// Black print: frames, roads, lettering.
  case ink
  /// The bare sheet.
  case paper
}

/// The kind of each colour of a sheet's palette.
struct PrintKinds {
  private let kinds: [PrintKind]

  /// Black is darker than half in every channel, so that a frame's softened rims count; blue, magenta and brown inks
  /// keep one channel above it.
  private static let inkLimit: UInt8 = 128
  /// The tint of neighbouring countries is almost white, and is map all the same.
  private static let paperLimit: UInt8 = 250

  /// - Parameter colors: for each index the bytes red, green, blue and alpha in memory's order.
  init(_ colors: [UInt32]) {
    kinds = colors.map { color in
      let channels = withUnsafeBytes(of: color) { $0.prefix(3).map(\.self) }
      if channels.allSatisfy({ $0 < PrintKinds.inkLimit }) { return .ink }
      return channels.allSatisfy { $0 >= PrintKinds.paperLimit } ? .paper : .tint
    }
  }

  @inline(__always)
  subscript(index: UInt8) -> PrintKind { kinds[Int(index)] }
}
