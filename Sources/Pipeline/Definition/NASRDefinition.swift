public import Airac

/// How the app database is made of a NASR subscription.
public struct NASRDefinition: Codable, Equatable, Sendable {
  public var name: String
  public var title: String
  public var cadence: Cadence
  /// `aviation`; the product is `nasr/aviation`, the file `aviation.sqlite`.
  public var id: String
  /// File names under which the subscription may lie, best first. `{date}` is `2026-02-19`, `{day_Mon_year}` is
  /// `19_Feb_2026`, both of the cycle's effective day.
  public var sources: [String]
  public var gates: Gates

  /// What must hold for the database to be worth having.
  public struct Gates: Codable, Equatable, Sendable {
    /// The share of a table's rows that may be dropped as unusable.
    public var droppedRowShare: Double
    /// The least number of rows a table of the database may have.
    public var minimumRows: [String: Int]
  }

  public func sourceNames(for cycle: AiracCycle) -> [String] {
    let day = cycle.effectiveDay
    return sources.map {
      $0.replacing("{date}", with: day.description)
        .replacing("{day_Mon_year}", with: day.dayNameYear)
    }
  }
}
