public import Core
internal import Foundation
internal import Pipeline

/// Whether a cycle could be rebuilt to the same bytes, product by product.
public struct ReproductionReport: Encodable, Equatable, Sendable {
  public let cycle: String
  public let ok: Bool
  /// By id.
  public let products: [ReproducedProduct]
  /// Where the rebuilt files lie.
  public let folder: String

  public init(cycle: String, products: [ReproducedProduct], folder: String) {
    self.cycle = cycle
    self.products = products.sorted { $0.id < $1.id }
    self.folder = folder
    ok = products.allSatisfy { $0.outcome == .identical }
  }

  /// A file that differs is graver than one of which nothing is known.
  public var verdict: UserError.Kind? {
    if ok { return nil }
    return products.contains { $0.outcome == .different } ? .failed : .partlyDone
  }

  /// As people read it, the verdict last.
  public var text: String {
    (products.flatMap(\.lines) + ["", summary]).joined(separator: "\n") + "\n"
  }

  private var summary: String {
    func count(_ outcome: ReproducedProduct.Outcome) -> Int { products.count { $0.outcome == outcome } }
    let head =
      "Cycle \(cycle): \(count(.identical)) of \(Counts.of(products.count, "product")) identical"
    let different = count(.different) > 0 ? ", \(count(.different)) different" : ""
    let others = count(.notBuilt) > 0 ? ", \(count(.notBuilt)) not built" : ""
    return head + different + others + ". What was rebuilt lies in \(folder)."
  }
}

extension ReproducedProduct {
  fileprivate var lines: [String] {
    let heads: [Outcome: String] = [
      .identical: "identical  ", .different: "DIFFERENT  ", .notBuilt: "NOT BUILT  ",
    ]
    let causes = versions.map { version in
      let then = version.recorded ?? "not recorded"
      return "           \(version.name) was \(then), here it is \(version.here ?? "not used")"
    }
    return [(heads[outcome] ?? "") + id] + (problem.map { ["           \($0)"] } ?? [])
      + files.filter { !$0.identical }.map { "           \($0.words)" }
      + (description.isEmpty ? [] : ["           said otherwise: \(description.joined(separator: ", "))"])
      + causes
  }
}

extension ReproducedProduct.File {
  fileprivate var words: String {
    guard let rebuilt else { return "\(name) was not made" }
    return "\(name): "
      + (difference ?? "its SHA-256 should be \(sha256.prefix(12))… and is \(rebuilt.prefix(12))…")
  }
}
