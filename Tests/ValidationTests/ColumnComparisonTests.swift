import Pipeline
import Testing

@testable import Validation

struct ColumnComparisonTests {
  private func problems(
    _ now: ColumnProfile, _ before: ColumnProfile, rows: Int = 10_000, isSample: Bool = false,
    _ limits: ColumnLimits = .neighbour
  ) -> [String] {
    ColumnComparison(
      now: now, rows: rows, before: before, rowsBefore: isSample ? rows / 20 : rows, isSample: isSample,
      limits: limits
    ).problems
  }

  private func words(_ values: [String: Double], nulls: Double = 0) -> ColumnProfile {
    var profile = ColumnProfile(nulls: nulls)
    profile.values = values
    return profile
  }

  private func numbers(_ mean: Double, _ spread: Double, fine: Double = 0) -> ColumnProfile {
    var profile = ColumnProfile(nulls: 0)
    (profile.mean, profile.spread, profile.negative, profile.fine) = (mean, spread, 0, fine)
    return profile
  }

  @Test func equalColumnsHaveNoProblems() {
    let profile = words(["public": 0.26, "private": 0.74])
    #expect(problems(profile, profile) == [])
    #expect(problems(numbers(1167, 1485), numbers(1180, 1490)) == [])
  }

  @Test func aLostColumnIsOneProblem() {
    #expect(
      problems(words([:], nulls: 1), words(["a": 1], nulls: 0.01)) == [
        "100 % of its rows have no value, and 1.00 % were"
      ])
  }

  @Test func aWordThatVanishesIsAProblemAndARareNewOneIsNot() {
    let before = words(["airport": 0.66, "heliport": 0.34])
    #expect(
      problems(words(["airport": 1]), before) == [
        "100 % of its values are \"airport\", and 66 % were",
        "no value is \"heliport\", and 34 % were",
      ])
    #expect(problems(words(["airport": 0.66, "heliport": 0.335, "vertiport": 0.005]), before) == [])
  }

  @Test func otherUnitsAreAnotherAverage() {
    #expect(problems(numbers(356, 453), numbers(1167, 1485)).count == 2)
    #expect(problems(numbers(38.9, 7.3, fine: 0), numbers(38.9, 7.3, fine: 0.99)).count == 1)
  }

  @Test func aLayoutHasSharesAndNoAverages() {
    var layout = ColumnProfile(nulls: 0)
    layout.fine = 0
    #expect(problems(numbers(356, 453), layout) == [])
    #expect(problems(numbers(356, 453, fine: 0.5), layout).count == 1)
    var text = ColumnProfile(nulls: 0)
    text.length = 9
    #expect(problems(text, layout) == ["it holds texts, and held numbers"])
    #expect(problems(numbers(356, 453), text) == ["it holds numbers, and held texts"])
  }

  @Test func aSampleLeavesRoomForChance() {
    let (now, before) = (words(["a": 0.99, "b": 0.01]), words(["a": 0.996, "b": 0.004]))
    #expect(problems(now, before, rows: 2000, isSample: true, .reference) == [])
    #expect(
      problems(words(["a": 1]), words(["a": 0.8, "b": 0.2]), rows: 2000, isSample: true, .reference).count
        == 2)
  }

  @Test func aColumnThatIsNearlyEmptyMayBeEmptyInAnotherYear() {
    let (now, before) = (words([:], nulls: 1), words(["a": 1], nulls: 0.97))
    #expect(problems(now, before, .reference) == [])
    #expect(problems(now, before, .neighbour).count == 1)
  }
}
