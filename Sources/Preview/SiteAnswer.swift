internal import Core
internal import Pipeline

/// `/site.json`: all that the page has to know before it asks for tiles.
struct SiteAnswer: Encodable {
  struct Cycle: Encodable {
    var id: String
    var effective: String
    var expires: String
    var charts: [Chart]
    var database: Database?
    var missing: [String]
    var held: [Held]
    var trouble: String?
  }

  /// A product that validation refused, or that contains one.
  struct Held: Encodable, Sendable {
    var id: String
    var why: String
  }

  struct Chart: Encodable {
    var id: String
    var name: String
    var edition: String
    var effective: String
    var expires: String
    /// Each west, south, east, north; two of a chart across 180 degrees.
    var boxes: [[Double]]
    var minZoom: Int
    var maxZoom: Int
    var outline: [[[Double]]]
    var trouble: String?
  }

  struct Database: Encodable {
    var id: String
    var name: String
    var edition: String
    var box: [Double]?
    var trouble: String?
  }

  /// The cycle to begin with.
  var start: String?
  var cycles: [Cycle]

  init(_ site: ShownSite, start: String?) {
    // Whoever looks at a site wants to see what goes out next, unless told otherwise.
    self.start = start ?? site.cycles.last?.cycle.identifier
    cycles = site.cycles.map(Cycle.init)
  }
}

extension SiteAnswer.Cycle {
  init(_ shown: ShownCycle) {
    id = shown.cycle.identifier
    effective = shown.cycle.effective.description
    expires = shown.cycle.expires(.every28Days).description
    charts = shown.charts.map(SiteAnswer.Chart.init)
    database = shown.database.map(SiteAnswer.Database.init)
    (missing, held, trouble) = (shown.missing, shown.held, shown.trouble)
  }
}

extension SiteAnswer.Chart {
  init(_ shown: ShownChart) {
    let product = shown.file.product
    (id, name, edition) = (product.id, product.name, product.edition)
    (effective, expires) = (product.effectiveDate, product.expirationDate)
    boxes = (product.boundingBoxes ?? [product.boundingBox].compactMap(\.self)).map(\.corners)
    (minZoom, maxZoom) = (product.minZoom ?? 0, product.maxZoom ?? 0)
    (outline, trouble) = (shown.outline, shown.trouble)
  }
}

extension SiteAnswer.Database {
  init(_ shown: ShownFile) {
    let product = shown.product
    (id, name, edition) = (product.id, product.name, product.edition)
    (box, trouble) = (product.boundingBox?.corners, shown.trouble)
  }
}

extension GeoBox {
  fileprivate var corners: [Double] { [west, south, east, north] }
}
