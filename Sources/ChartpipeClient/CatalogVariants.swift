extension Catalog {
  /// The forms in which the catalogue has a chart of one edition: the standard form first, then its variants by their ids.
  ///
  /// An app that shows one form picks it by ``Product/format`` and ``Product/tileSize``.
  ///
  /// - Parameter product: any of the forms.
  public func forms(of product: Product) -> [Product] {
    let standard = product.variantOf ?? product.id
    return products.filter {
      ($0.variantOf ?? $0.id) == standard && $0.edition == product.edition && $0.cycle == product.cycle
    }
    .sorted { ($0.variantOf == nil ? "" : $0.id) < ($1.variantOf == nil ? "" : $1.id) }
  }
}
