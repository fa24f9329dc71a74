import Aero
import Charts
import Core
import Fetch
import Foundation
import Pipeline

/// How the command line has sources fetched: only it knows the rooms that can tell of which edition a file is.
enum Fetching {
  static func request(
    _ items: [PipelineItem], _ cycle: AiracCycle, from origin: SourceOrigin, into workspace: Workspace,
    cache: String? = nil, limit: Int? = nil
  ) -> FetchRequest {
    var request = FetchRequest(
      items: items, cycle: cycle, origin: origin, folder: workspace.sources(cycle: cycle.identifier),
      cache: self.cache(cache),
      now: SystemClock.now
    ) { file, wish in try checkEdition(file, wish, cycle) }
    request.room = DiskSpace(workspace.root, limit: limit)
    return request
  }

  /// - Parameter named: as it was given; nil for the usual one.
  static func cache(_ named: String?) -> SourceCache {
    SourceCache(named.map(RunSettings.folder) ?? SourceCache.usual(ProcessInfo.processInfo.environment))
  }

  /// A file of another edition is refused before anybody builds with it.
  @Sendable private static func checkEdition(
    _ file: SourceFile, _ wish: SourceRequirement, _ cycle: AiracCycle
  ) throws {
    guard let item = wish.items.first else { return }
    switch item.content {
    case .chart(_, let family): try ChartZip.checkEdition(file, family, cycle)
    case .nasr(let definition) where wish.isFile(of: definition.sourceNames(for: cycle)):
      try SubscriptionDates.check(file, cycle)
    case .nasr, .obstacles, .mosaic, .export: break
    }
  }
}
