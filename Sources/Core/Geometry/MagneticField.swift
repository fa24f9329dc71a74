internal import Foundation

/// The earth's magnetic field, accurate to a few degrees, to check the variations in data.
///
/// Spherical harmonics to degree 6 of the World Magnetic Model of 2025 (NOAA and the British Geological Survey, public domain),
/// extrapolated to 2010 with its yearly change: the FAA's values are of many years, and the yearly change is valid for about ten.
public enum MagneticField {
  private static let degree = 6
  private static let years = -15.0

  /// Degrees from true to magnetic north, east positive.
  public static func declination(at place: GeoPoint) -> Double {
    let colatitude = (90 - place.latitude) * .pi / 180
    let longitude = place.longitude * .pi / 180
    let functions = LegendreFunctions(degree: degree, colatitude: colatitude)
    let sine = max(sin(colatitude), 1e-6)
    var (north, east) = (0.0, 0.0)
    for term in terms {
      let (cosine, sineOfOrder) = (cos(Double(term.order) * longitude), sin(Double(term.order) * longitude))
      let (value, slope) = functions[term.degree, term.order]
      north += (term.g * cosine + term.h * sineOfOrder) * slope
      east += Double(term.order) * (term.g * sineOfOrder - term.h * cosine) * value / sine
    }
    return atan2(east, north) * 180 / .pi
  }

  /// For each degree and order: g and h of 2025 in nanotesla, and their change per year.
  private static let terms: [(degree: Int, order: Int, g: Double, h: Double)] = [
    (1, 0, -29351.8, 0.0, 12.0, 0.0), (1, 1, -1410.8, 4545.4, 9.7, -21.5),
    (2, 0, -2556.6, 0.0, -11.6, 0.0), (2, 1, 2951.1, -3133.6, -5.2, -27.7),
    (2, 2, 1649.3, -815.1, -8.0, -12.1),
    (3, 0, 1361.0, 0.0, -1.3, 0.0), (3, 1, -2404.1, -56.6, -4.2, 4.0),
    (3, 2, 1243.8, 237.5, 0.4, -0.3), (3, 3, 453.6, -549.5, -15.6, -4.1),
    (4, 0, 895.0, 0.0, -1.6, 0.0), (4, 1, 799.5, 278.6, -2.4, -1.1),
    (4, 2, 55.7, -133.9, -6.0, 4.1), (4, 3, -281.1, 212.0, 5.6, 1.6),
    (4, 4, 12.1, -375.6, -7.0, -4.4),
    (5, 0, -233.2, 0.0, 0.6, 0.0), (5, 1, 368.9, 45.4, 1.4, -0.5),
    (5, 2, 187.2, 220.2, 0.0, 2.2), (5, 3, -138.7, -122.9, 0.6, 0.4),
    (5, 4, -142.0, 43.0, 2.2, 1.7), (5, 5, 20.9, 106.1, 0.9, 1.9),
    (6, 0, 64.4, 0.0, -0.2, 0.0), (6, 1, 63.8, -18.4, -0.4, 0.3),
    (6, 2, 76.9, 16.8, 0.9, -1.6), (6, 3, -115.7, 48.8, 1.2, -0.4),
    (6, 4, -40.9, -59.8, -0.9, 0.9), (6, 5, 14.9, 10.9, 0.3, 0.7), (6, 6, -60.7, 72.7, 0.9, 0.9),
  ].map { ($0, $1, $2 + years * $4, $3 + years * $5) }
}

/// Schmidt's half-normalised associated Legendre functions of a cosine, and their derivatives by the angle.
private struct LegendreFunctions {
  private let side: Int
  private var values: [Double]
  private var slopes: [Double]

  init(degree: Int, colatitude: Double) {
    side = degree + 1
    values = [Double](repeating: 0, count: side * side)
    slopes = values
    let (cosine, sine) = (cos(colatitude), sin(colatitude))
    values[0] = 1
    for order in 0...degree {
      if order > 0 { setDiagonal(order, cosine, sine) }
      guard order < degree else { continue }
      for n in order + 1...degree { set(n, order, cosine, sine) }
    }
  }

  subscript(degree: Int, order: Int) -> (value: Double, slope: Double) {
    (values[degree * side + order], slopes[degree * side + order])
  }

  private mutating func setDiagonal(_ order: Int, _ cosine: Double, _ sine: Double) {
    let factor = order == 1 ? 1 : (Double(2 * order - 1) / Double(2 * order)).squareRoot()
    let before = self[order - 1, order - 1]
    values[order * side + order] = factor * sine * before.value
    slopes[order * side + order] = factor * (cosine * before.value + sine * before.slope)
  }

  private mutating func set(_ n: Int, _ order: Int, _ cosine: Double, _ sine: Double) {
    let scale = Double(n * n - order * order).squareRoot()
    let back = Double((n - 1) * (n - 1) - order * order).squareRoot()
    let before = self[n - 1, order]
    let second = n >= 2 ? self[n - 2, order] : (value: 0, slope: 0)
    let step = Double(2 * n - 1)
    values[n * side + order] = (step * cosine * before.value - back * second.value) / scale
    slopes[n * side + order] =
      (step * (cosine * before.slope - sine * before.value) - back * second.slope) / scale
  }
}
