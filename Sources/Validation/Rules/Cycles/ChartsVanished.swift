internal import Pipeline

/// What the last cycle had and this one has not. Pipelines of which nothing is there yet may still be staged.
struct ChartsVanished: CycleRule {
  let name = "charts-vanished"
  let protects = "No chart disappears from the app unnoticed."

  func check(_ cycle: CycleUnderTest) -> [Finding] {
    let present = Set(cycle.all.map(\.product.id))
    let pipelines = Set(present.map(ChartsVanished.pipeline))
    return cycle.lastCycle.map(\.product).filter {
      !present.contains($0.id) && pipelines.contains(ChartsVanished.pipeline($0.id))
    }.sorted { $0.id < $1.id }.map { product in
      Finding(
        rule: name, severity: .warning, where: "\(product.id) of cycle \(product.cycle)",
        message: "this cycle does not have it; build it, or inform the users that it is gone",
        product: product.id)
    }
  }

  /// `vfr-sectional` of `vfr-sectional/San_Francisco`.
  private static func pipeline(_ id: String) -> Substring { id.prefix { $0 != "/" } }
}
