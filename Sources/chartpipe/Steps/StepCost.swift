import Pipeline

/// A step, and how many bytes it leaves in the work folder.
struct StepCost: Sendable {
  let step: String
  /// As last time, else guessed from the sizes of its sources.
  var bytes: Int
  /// The steps of whose outputs it is made.
  var parts: Set<String> = []
  /// Whether staging puts a copy into the site.
  var isStaged = true
  var isGuess = true

  /// A guess may be twice too much, and shall keep nobody from trying.
  var least: StepCost {
    var least = self
    if isGuess { least.bytes /= 2 }
    return least
  }

  /// What the steps of an item leave, guessed from the size of its sources.
  static func guessed(_ item: PipelineItem, _ sizes: SourceSizes, joins: Bool) -> [StepCost] {
    switch item.content {
    case .chart(let chart, let family):
      let tiles = bytes(chart, family, sizes)
      let pack = tiles * family.tiles.archives.count
      guard family.seam == .fill else { return [StepCost(step: item.product, bytes: pack)] }
      let cut = StepCost(step: item.product, bytes: tiles, isStaged: false)
      let filled = StepCost(step: SeamStep.id(item), bytes: pack, parts: [item.product])
      return joins ? [cut, filled] : [cut]
    case .mosaic(_, let family):
      let tiles = family.charts.map { bytes($0, family, sizes) }.reduce(0, +)
      return [
        StepCost(
          step: item.product, bytes: tiles * family.tiles.archives.count,
          parts: Set(family.charts.map { "\(item.pipeline)/\($0.id)" }))
      ]
    case .nasr(let definition):
      return [StepCost(step: item.product, bytes: sizes.bytes(of: definition.origin))]
    case .obstacles(let definition):
      return [StepCost(step: item.product, bytes: sizes.unpackedBytes(of: definition.origin))]
    case .export(_, let origin):
      return [
        StepCost(
          step: item.product, bytes: sizes.bytes(of: origin) / 4, parts: ["\(item.pipeline)/\(origin.id)"])
      ]
    }
  }

  /// The tiles of a dense sheet's largest useful zoom and all below, against its zip.
  private static func bytes(_ chart: ChartDefinition, _ family: ChartFamily, _ sizes: SourceSizes) -> Int {
    let tenths =
      switch family.tiles.format {
      case .png: 19
      case .png32: 69
      case .webp: 10
      case .webpLossless: 17
      }
    return sizes.bytes(of: chart, in: family) / 10 * tenths
  }
}
