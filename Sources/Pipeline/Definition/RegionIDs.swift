internal import Core

/// Throws when two products have the same region id, or ids that differ in upper and lower case only: many file systems take
/// those for the same name. An app keeps a chart's archive as `<region id>.mbtiles`, so one would overwrite the other.
///
/// - Parameters:
///   - regions: the ids, each with the product that has it. The same product may occur in several cycles.
///   - fault: makes the error from a sentence that names both products.
func checkRegionIDs(_ regions: [(id: String, product: String)], _ fault: (String) -> UserError) throws {
  var owners: [String: (id: String, product: String)] = [:]
  for region in regions {
    let first = owners.updateValue(region, forKey: region.id.lowercased()) ?? region
    guard first.product != region.product else { continue }
    throw fault(
      first.id == region.id
        ? "\(first.product) and \(region.product) both have the region id \"\(region.id)\""
        : "the region ids \"\(first.id)\" of \(first.product) and \"\(region.id)\" of \(region.product) differ in case only"
    )
  }
}
