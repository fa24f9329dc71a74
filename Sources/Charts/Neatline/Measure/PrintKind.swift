/// What a pixel of a sheet is, as far as its color shows.
enum PrintKind: UInt8 {
  /// The colors of the map: land, water, cities, and colored print.
  case tint
  /// Black print: frames, roads, lettering.
  case ink
  /// The bare sheet.
  case paper
}

/// The kind of each color of a sheet's palette.
struct PrintKinds {
  private let kinds: [PrintKind]
  private let codes: [UInt8]
  /// How much each color differs from the bare sheet, in the channel where it differs most.
  private let shades: [UInt8]
  private let colors: [UInt32]

  /// Black is darker than half in every channel, so that a frame's softened rims count; blue, magenta and brown inks
  /// keep one channel above it.
  private static let inkLimit: UInt8 = 128
  /// The tint of neighboring countries is almost white, and is map all the same.
  private static let paperLimit: UInt8 = 250
  /// Levels by which the colors of one ground may differ in a channel: of a flat print, and of a grainy one.
  private static let groundPlays: (flat: UInt8, grainy: UInt8) = (3, 12)

  /// - Parameter colors: for each index the bytes red, green, blue and alpha in memory's order.
  init(_ colors: [UInt32]) {
    self.init(colors, sheet: [255, 255, 255], play: 255 - PrintKinds.paperLimit)
  }

  private init(_ colors: [UInt32], sheet: [UInt8], play: UInt8) {
    self.colors = colors
    let channels = colors.map { color in withUnsafeBytes(of: color) { $0.prefix(3).map(\.self) } }
    let shades = channels.map { zip($0, sheet).map { max($0, $1) - min($0, $1) }.max() ?? 0 }
    self.shades = shades
    let kinds = zip(channels, shades).map { channels, shade -> PrintKind in
      if shade <= play { return .paper }
      return channels.allSatisfy { $0 < PrintKinds.inkLimit } ? .ink : .tint
    }
    self.kinds = kinds
    codes = kinds.map(\.rawValue)
  }

  /// The tint of a collar.
  struct Ground: Equatable {
    let color: UInt8
    let play: UInt8
  }

  /// The kinds of a sheet whose collar is tinted: colors like the ground are the bare sheet, and white is map.
  func onGround(_ ground: Ground) -> PrintKinds {
    let sheet = withUnsafeBytes(of: colors[Int(ground.color)]) { $0.prefix(3).map(\.self) }
    return PrintKinds(colors, sheet: sheet, play: ground.play)
  }

  /// The tint that makes up most of some pixels, if one does. The sea may have nearly the collar's tint, so grain is expected
  /// only where it is seen.
  ///
  /// - Parameter counts: for each index the number of pixels.
  func ground(of counts: [Int]) -> Ground? {
    let total = counts.reduce(0, +)
    guard total > 0, let mode = counts.indices.max(by: { counts[$0] < counts[$1] }),
      kinds.indices.contains(mode), kinds[mode] == .tint
    else { return nil }
    return [PrintKinds.groundPlays.flat, PrintKinds.groundPlays.grainy].lazy
      .map { Ground(color: UInt8(mode), play: $0) }
      .first { ground in
        let like = onGround(ground)
        let share = counts.indices.reduce(0) {
          $1 < kinds.count && like.kinds[$1] == .paper ? $0 + counts[$1] : $0
        }
        return share * 10 >= total * 6
      }
  }

  /// The kinds' raw values by color index.
  func withCodes(_ body: (UnsafeBufferPointer<UInt8>) -> Void) { codes.withUnsafeBufferPointer(body) }

  /// The shades by color index.
  func withShades(_ body: (UnsafeBufferPointer<UInt8>) -> Void) { shades.withUnsafeBufferPointer(body) }

  @inline(__always)
  subscript(index: UInt8) -> PrintKind { kinds[Int(index)] }
}
