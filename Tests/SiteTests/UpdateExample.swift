// docs/formats/updates.md shows this from the next line on.
import ChartpipeClient
import Foundation

/// What an app brings along: its network, its store, its hashing and its screen.
protocol ChartApp: AnyObject {
  var highestSerial: Int? { get set }
  var files: DeviceFiles { get }
  func get(_ path: String) throws -> Data
  /// Throws unless the signature in one of these files is one of the publisher's key.
  func verify(_ catalog: Data, signatures: [String]) throws
  /// Goes on at `step.resumesAt`, and gives the file that arrived.
  func download(_ step: DownloadPlan.Step) throws -> URL
  func sha256(_ file: URL) throws -> String
  func sha256(_ data: Data) throws -> String
  /// Moves a file that was checked into the store, over nothing that is in use.
  func keep(_ file: URL, as entry: Catalog.File) throws
  func warn(_ message: String)
}

/// Brings a product up to date, and gives what is to be shown of it at this instant.
func update(_ id: String, in app: some ChartApp, now: Date) throws -> Catalog.Product? {
  let data = try app.get("catalog.json")
  try app.verify(data, signatures: Catalog.signaturePaths(sha256: app.sha256(data)))
  let catalog = try Catalog(json: data)
  guard catalog.freshness(afterSerial: app.highestSerial) != .replayed else { return nil }
  app.highestSerial = catalog.serial

  let offer = catalog.offer(of: id, at: now)
  let wanted = [offer.shown, offer.upcoming].compactMap(\.self)
  for step in DownloadPlan(for: wanted, on: app.files).steps {
    let file = try app.download(step)
    try step.download.check(file, sha256: app.sha256)
    try app.keep(file, as: step.file)
  }
  if case .expired(let since)? = offer.shown?.currency(at: now) {
    app.warn("\(id) expired on \(since). Do not navigate by it.")
  }
  return offer.shown
}
