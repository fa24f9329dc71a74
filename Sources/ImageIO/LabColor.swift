internal import Foundation

/// A colour in CIELAB under D65: lightness, and the red-green and yellow-blue axes.
public struct LabColor: Sendable, Equatable {
  public let lightness: Double
  public let a: Double
  public let b: Double
  let chroma: Double

  public init(_ color: RGB) {
    let table = LabColor.linear
    self.init(
      linearRed: table[Int(color.red)], green: table[Int(color.green)], blue: table[Int(color.blue)])
  }

  /// - Parameters: sRGB levels from 0 to 255, which may be fractional.
  public init(red: Double, green: Double, blue: Double) {
    self.init(
      linearRed: LabColor.linear(red), green: LabColor.linear(green), blue: LabColor.linear(blue))
  }

  private init(linearRed red: Double, green: Double, blue: Double) {
    let x = LabColor.curve((0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047)
    let y = LabColor.curve(0.2126729 * red + 0.7151522 * green + 0.0721750 * blue)
    let z = LabColor.curve((0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883)
    (lightness, a, b) = (116 * y - 16, 500 * (x - y), 200 * (y - z))
    chroma = (a * a + b * b).squareRoot()
  }

  private static let linear: [Double] = (0...255).map { linear(Double($0)) }

  private static func linear(_ level: Double) -> Double {
    let share = min(max(level / 255, 0), 1)
    return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
  }

  private static func curve(_ value: Double) -> Double {
    value > 216.0 / 24389 ? cbrt(value) : (24389.0 / 27 * value + 16) / 116
  }
}

extension LabColor {
  /// Returns the visual difference of two colours by CIEDE2000. A difference of 1 is just visible side by side; from 10 on,
  /// colours have different names.
  ///
  /// The result is a whole number of 256ths, so that the last digits of sines and roots, in which machines differ, do not
  /// affect decisions.
  public func difference(to other: LabColor) -> Double {
    let grayness = 0.5 * (1 - LabColor.saturation((chroma + other.chroma) / 2))
    let one = Hue(a: a * (1 + grayness), b: b)
    let two = Hue(a: other.a * (1 + grayness), b: other.b)
    let (chroma, hue, turn) = one.mean(with: two)
    let light = (lightness + other.lightness) / 2 - 50
    let lightScale = 1 + 0.015 * light * light / (20 + light * light).squareRoot()
    let hueScale = 1 + 0.015 * chroma * LabColor.hueWeight(hue)
    let byLight = (other.lightness - lightness) / lightScale
    let byChroma = (two.chroma - one.chroma) / (1 + 0.045 * chroma)
    let byHue = 2 * (one.chroma * two.chroma).squareRoot() * sin(turn / 2) / hueScale
    let offBlue = (hue * 180 / .pi - 275) / 25
    let rotation =
      -sin(60 * .pi / 180 * exp(-offBlue * offBlue)) * 2 * LabColor.saturation(chroma)
    let square = byLight * byLight + byChroma * byChroma + byHue * byHue + rotation * byChroma * byHue
    return (max(square, 0).squareRoot() * 256).rounded() / 256
  }

  private static func saturation(_ chroma: Double) -> Double {
    let square = chroma * chroma
    let seventh = square * square * square * chroma
    return (seventh / (seventh + 6_103_515_625)).squareRoot()
  }

  private static func hueWeight(_ hue: Double) -> Double {
    1 - 0.17 * cos(hue - .pi / 6) + 0.24 * cos(2 * hue) + 0.32 * cos(3 * hue + .pi / 30)
      - 0.20 * cos(4 * hue - 63 * .pi / 180)
  }

  private struct Hue {
    let chroma: Double
    /// From 0 to a full turn.
    let angle: Double

    init(a: Double, b: Double) {
      chroma = (a * a + b * b).squareRoot()
      let turn = chroma > 0 ? atan2(b, a) : 0
      angle = turn < 0 ? turn + 2 * .pi : turn
    }

    /// The mean chroma and hue, and the angle from this hue to the other.
    func mean(with other: Hue) -> (chroma: Double, hue: Double, turn: Double) {
      let mean = (chroma + other.chroma) / 2
      guard chroma * other.chroma > 0 else { return (mean, angle + other.angle, 0) }
      let turn = (other.angle - angle).remainder(dividingBy: 2 * .pi)
      let middle = (angle + other.angle) / 2
      guard abs(other.angle - angle) > .pi else { return (mean, middle, turn) }
      return (mean, middle < .pi ? middle + .pi : middle - .pi, turn)
    }
  }
}
