/// The kind of a pixel according to its color.
public enum PrintKind: UInt8, Sendable {
  /// A color of the map: land, water, cities, and colored print.
  case tint
  /// Black print: frames, roads, lettering.
  case ink
  /// The bare sheet.
  case paper
}

/// The kind of each color of a sheet's palette.
public struct PrintKinds: Sendable {
  private let kinds: [PrintKind]
  /// Their raw values.
  let codes: [UInt8]
  /// How much each color differs from the bare sheet, in the channel where it differs most.
  let shades: [UInt8]
  private let colors: [UInt32]

  /// Black is darker than half in every channel, so that a frame's softened rims count. Blue, magenta and brown inks keep one
  /// channel above it.
  private static let inkLimit: UInt8 = 128
  /// The tint of neighboring countries is almost white, and still belongs to the map.
  private static let paperLimit: UInt8 = 250
  /// Levels by which the colors of one ground may differ in a channel: in a flat print, and in a grainy one.
  private static let groundTolerances: (flat: UInt8, grainy: UInt8) = (3, 12)

  /// - Parameter colors: for each index the bytes red, green, blue and alpha in memory order.
  public init(_ colors: [UInt32]) {
    self.init(colors, sheet: [255, 255, 255], slack: 255 - PrintKinds.paperLimit)
  }

  private init(_ colors: [UInt32], sheet: [UInt8], slack: UInt8) {
    self.colors = colors
    let channels = colors.map { $0.channels.prefix(3) }
    let shades = channels.map { zip($0, sheet).map { max($0, $1) - min($0, $1) }.max() ?? 0 }
    self.shades = shades
    let kinds = zip(channels, shades).map { channels, shade -> PrintKind in
      if shade <= slack { return .paper }
      return channels.allSatisfy { $0 < PrintKinds.inkLimit } ? .ink : .tint
    }
    self.kinds = kinds
    codes = kinds.map(\.rawValue)
  }

  /// The tint of a collar.
  public typealias Ground = (color: UInt8, slack: UInt8)

  /// The kinds for a sheet whose collar is tinted: colors like the ground count as the bare sheet, and white as map.
  public func onGround(_ ground: Ground) -> PrintKinds {
    PrintKinds(colors, sheet: Array(colors[Int(ground.color)].channels.prefix(3)), slack: ground.slack)
  }

  /// The tint that makes up most of some pixels, if there is one. The sea may have nearly the collar's tint, so grain is
  /// allowed only where it occurs.
  ///
  /// - Parameter counts: for each index the number of pixels.
  public func ground(of counts: [Int]) -> Ground? {
    let total = counts.reduce(0, +)
    guard total > 0, let mode = counts.indices.max(by: { counts[$0] < counts[$1] }),
      kinds.indices.contains(mode), kinds[mode] == .tint
    else { return nil }
    return [PrintKinds.groundTolerances.flat, PrintKinds.groundTolerances.grainy].lazy
      .map { (color: UInt8(mode), slack: $0) }
      .first { ground in
        let like = onGround(ground)
        let share = counts.indices.reduce(0) {
          $1 < kinds.count && like.kinds[$1] == .paper ? $0 + counts[$1] : $0
        }
        return share * 10 >= total * 6
      }
  }

  public subscript(index: UInt8) -> PrintKind { kinds[Int(index)] }
}

/// A colour as its bytes red, green, blue and alpha in memory order.
extension UInt32 {
  public var channels: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }

  public init(channels: [UInt8]) { self = channels.withUnsafeBytes { $0.load(as: UInt32.self) } }
}
