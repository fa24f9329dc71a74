public import Core
public import Fetch

/// A subscription, before anything is made of it.
public enum SubscriptionDates {
  /// Refuses one whose README, or whose tables by their archive's name, are of another cycle.
  public static func check(_ source: SourceFile, _ cycle: AiracCycle) throws {
    _ = try SubscriptionArchive(source, cycle: cycle)
  }
}
