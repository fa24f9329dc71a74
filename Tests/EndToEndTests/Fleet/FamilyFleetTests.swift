import Pipeline
import TestSupport
import Testing

/// The definitions of the smaller families, each built from sheets that are drawn where the definition says, far away and small.
@Suite(.serialized) struct FamilyFleetTests {
  @Test(arguments: [
    ("vfr-helicopter", ["Baltimore", "New_York", "US_Gulf_Coast", "Dallas_Love_Inset"]),
    ("vfr-terminal", ["Anchorage", "Detroit", "Miami_FLY", "Puerto_Rico-VI"]),
    ("caribbean", ["Caribbean_1", "Caribbean_2"]),
  ])
  func eachChartIsBuiltWithinItsOutline(name: String, ids: [String]) throws {
    let fleet = try DrawnFleet(name, metresPerPixel: 4000, fewestPixels: 200) { family in
      family.charts.removeAll { !ids.contains($0.id) }
      (family.covers, family.mosaic, family.seam) = (nil, nil, .clean)
    }
    #expect(fleet.family.charts.count == ids.count)
    let work = try TemporaryFolder()
    let ending = try fleet.chartpipe("build", work: work)
    #expect(ending.status == 0, "\(ending.errors)")
    for id in ids {
      #expect((try fleet.product(id, in: work).build.counts["tiles"] ?? 0) > 0, "\(id)")
    }
  }
}
