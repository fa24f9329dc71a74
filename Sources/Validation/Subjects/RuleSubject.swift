/// What rules look at.
protocol RuleSubject {
  /// The path as the user gave it; the place of every finding begins with it.
  var place: String { get }
}
