/// How far a column may be from what it is compared with.
///
/// Between whole cycles of 2023-04-20 and 2024-12-26 (APT_BASE, APT_RWY, NAV_BASE) and the sampled one of 2026-02-19 no column
/// goes beyond half of what is an error here.
struct ColumnLimits {
  /// Shares are compared by the logarithm of their odds, so that 2 % against 0.1 % counts as much as 98 % against 99.9 %.
  let odds: Double
  /// Averages, in standard deviations.
  let mean: Double
  /// The ratio of two standard deviations, of two average lengths, and of two numbers of different values.
  let ratio: Double
  /// The difference of two shares of characters.
  let characters: Double
  /// A column of which a larger share is empty may as well be all empty.
  let sparse: Double
  /// Whether fewer rows without a value are as wrong as more.
  let refusesFewerNulls: Bool

  /// Against the last cycle.
  static let neighbour = ColumnLimits(
    odds: 1.5, mean: 0.2, ratio: 1.3, characters: 0.06, sparse: 1, refusesFewerNulls: true)
  /// Against what the definition knows of good cycles, which may be years old.
  static let reference = ColumnLimits(
    odds: 2, mean: 0.35, ratio: 1.6, characters: 0.1, sparse: 0.95, refusesFewerNulls: false)
}
