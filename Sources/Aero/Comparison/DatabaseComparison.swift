internal import Core
public import Foundation
internal import SQLiteIO

/// Holds one cycle's app database against another's.
public enum DatabaseComparison {
  /// Values are compared exactly as they are stored. Both files are read side by side in the order of their keys, so that the
  /// memory hangs on what differs and not on how large they are.
  public static func compare(_ old: URL, with new: URL) throws -> DatabaseDifference {
    try DatabaseFile.checkAlike(old, new)
    let pair = try DatabasePair(old, new)
    let airports = try AirportComparison(pair)
    try CancellationToken.current.check()
    let navaids = try ItemComparison.navaids.items(pair)
    let fixes = try ItemComparison.fixes.items(pair)
    try CancellationToken.current.check()
    let airspaces = try ItemComparison.airspaces.items(pair)
    let obstacles = try ObstacleComparison.tallies(pair)
    let growth = try pair.growthOfOtherTables()
    return DatabaseDifference(
      old: pair.old.edition, new: pair.new.edition, notCompared: pair.notCompared,
      summary: airports.tallies
        + [
          ChangeTally("navaids", navaids), ChangeTally("fixes", fixes), ChangeTally("airspaces", airspaces),
          ObstacleComparison.tally(obstacles),
        ],
      airports: airports.airports, navaids: navaids, fixes: fixes, airspaces: airspaces, obstacles: obstacles,
      otherTables: growth)
  }
}
