/// The points at some distance from a place on the ellipsoid, by Vincenty's direct solution (Survey Review 23, 1975): exact to
/// less than a millimetre.
struct GeodesicCircle {
  // GRS80, and WGS84 but for a tenth of a millimetre.
  private static let semiMajor = 6_378_137.0
  private static let flattening = 1 / 298.257_222_101
  private static let semiMinor = semiMajor * (1 - flattening)

  let center: ShapePoint
  let metres: Double
  private let reduced: (sine: Double, cosine: Double)

  init(center: ShapePoint, metres: Double) {
    self.center = center
    self.metres = metres
    let latitude = EvenTrigonometry.sineAndCosine(center.radians.latitude)
    let tangent = (1 - GeodesicCircle.flattening) * latitude.sine / latitude.cosine
    let cosine = 1 / (1 + tangent * tangent).squareRoot()
    reduced = (tangent * cosine, cosine)
  }

  /// The point in a direction, in radians from north over east.
  func point(azimuth: Double) -> ShapePoint {
    let (sine, cosine) = EvenTrigonometry.sineAndCosine(azimuth)
    let first = EvenTrigonometry.angle(y: reduced.sine, x: reduced.cosine * cosine)
    let equator = reduced.cosine * sine
    let slant = 1 - equator * equator
    let sigma = distance(first, slant)
    let (sineSigma, cosineSigma) = EvenTrigonometry.sineAndCosine(sigma)
    let depth = reduced.sine * sineSigma - reduced.cosine * cosineSigma * cosine
    let latitude = EvenTrigonometry.angle(
      y: reduced.sine * cosineSigma + reduced.cosine * sineSigma * cosine,
      x: (1 - GeodesicCircle.flattening) * (equator * equator + depth * depth).squareRoot())
    let lambda = EvenTrigonometry.angle(
      y: sineSigma * sine, x: reduced.cosine * cosineSigma - reduced.sine * sineSigma * cosine)
    let f = GeodesicCircle.flattening
    let c = f / 16 * slant * (4 + f * (4 - 3 * slant))
    let middle = EvenTrigonometry.cosine(2 * first + sigma)
    let excess = sigma + c * sineSigma * (middle + c * cosineSigma * (2 * middle * middle - 1))
    let longitude = lambda - (1 - c) * f * equator * excess
    return ShapePoint(
      x: center.x + ShapePoint.millionths(radians: longitude), y: ShapePoint.millionths(radians: latitude))
  }

  /// The angle at the earth's middle that belongs to the radius.
  private func distance(_ first: Double, _ slant: Double) -> Double {
    let (a, b) = (GeodesicCircle.semiMajor, GeodesicCircle.semiMinor)
    let u = slant * (a * a - b * b) / (b * b)
    let wide = 1 + u / 16384 * (4096 + u * (-768 + u * (320 - 175 * u)))
    let narrow = u / 1024 * (256 + u * (-128 + u * (74 - 47 * u)))
    var sigma = metres / (b * wide)
    // Each round gains three digits or more.
    for _ in 0..<6 {
      let middle = EvenTrigonometry.cosine(2 * first + sigma)
      let (sine, cosine) = EvenTrigonometry.sineAndCosine(sigma)
      let inner =
        cosine * (2 * middle * middle - 1)
        - narrow / 6 * middle * (4 * sine * sine - 3) * (4 * middle * middle - 3)
      sigma = metres / (b * wide) + narrow * sine * (middle + narrow / 4 * inner)
    }
    return sigma
  }
}
