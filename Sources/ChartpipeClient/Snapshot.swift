public import Foundation

extension Catalog {
  /// A signed list of a site, with its own signatures and its own serials.
  public enum Channel: String, Sendable {
    /// Charts and databases of the AIRAC cycles.
    case cycles = "catalog.json"
    /// Snapshots such as TFRs and weather, which are replaced every few minutes.
    case live = "live.json"

    var signatureFolder: String { self == .live ? "live/signatures" : "signatures" }

    /// The key of a publisher signs both channels, so a server could send one in place of the other. Only one lists cycles.
    func contains(_ catalog: Catalog) -> Bool { catalog.cycles.isEmpty == (self == .live) }
  }

  /// What an app may say about a snapshot such as `tfr/tfr`.
  public enum SnapshotState: Equatable, Sendable {
    case current(Snapshot)
    /// There is no present snapshot, for this reason. It never means that there are no TFRs.
    case unconfirmed(String)
  }

  /// A snapshot that may be used.
  public struct Snapshot: Equatable, Sendable {
    public var product: Product
    /// When the source observed it.
    public var observed: Date
    /// When the publisher last confirmed it at its source.
    public var fetched: Date
    /// When it must no longer be used.
    public var expires: Date
    /// Seconds since it was observed.
    public var age: TimeInterval
  }

  /// A clock that is further behind a time of the publisher is wrong.
  private static let clockTolerance: TimeInterval = 300

  /// Returns the state of a snapshot of the live channel by the clock of the caller.
  ///
  /// ```swift
  /// let live = try? await ChartpipeSite.open(address, key: key, state: liveState, channel: .live)
  /// switch live?.catalog.snapshot("tfr/tfr", at: .now) {
  /// case .current(let tfrs): show(tfrs)
  /// case .unconfirmed, nil: warn("TFRs are unconfirmed")
  /// }
  /// ```
  public func snapshot(_ id: String, at now: Date) -> SnapshotState {
    guard case .fresh = validity(at: now) else { return .unconfirmed("the list of snapshots has expired") }
    guard let product = products.last(where: { $0.id == id }) else {
      let held = held.first { $0.id == id }
      return .unconfirmed(
        held.map { "the publisher has none now (\($0.reason.rawValue))" } ?? "the site does not have it")
    }
    let (observed, expires) = (product.effectiveDate, product.expirationDate)
    let fetched = product.fetched ?? observed
    guard now >= max(observed, fetched, issued ?? observed) - Catalog.clockTolerance else {
      return .unconfirmed("the clock of this device is wrong")
    }
    guard now < expires else { return .unconfirmed("it has expired") }
    return .current(
      Snapshot(
        product: product, observed: observed, fetched: fetched, expires: expires,
        age: max(0, now.timeIntervalSince(observed))))
  }
}
