public import Foundation
public import Pipeline

/// A product, and where the paths of its files begin: a build folder, or a site's root.
public struct PlacedProduct: Sendable {
  public var product: Product
  public var folder: URL

  public init(_ product: Product, in folder: URL) {
    self.product = product
    self.folder = folder
  }
}

/// What is to be looked at, and beside what.
public struct ValidationRequest: Sendable {
  /// Each an archive, a database, a product's description (which brings its files), or a folder of these.
  public var paths: [URL]
  /// Products of the same cycle that were validated before. They are not looked at again, but the others must agree with them.
  public var beside: [PlacedProduct]
  /// Products of earlier cycles, the latest first, that the new ones are held against.
  public var against: [PlacedProduct]

  public init(_ paths: [URL], beside: [PlacedProduct] = [], against: [PlacedProduct] = []) {
    self.paths = paths
    self.beside = beside
    self.against = against
  }
}
