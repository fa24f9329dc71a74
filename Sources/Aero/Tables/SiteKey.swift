/// A landing facility as the FAA's tables refer to it. The number alone is not unique: an airport and a heliport
/// share one. It is text, since `00103.` and `103` are two.
struct SiteKey: Hashable, Comparable {
  let number: String
  let type: String

  static func < (left: SiteKey, right: SiteKey) -> Bool {
    (left.number, left.type) < (right.number, right.type)
  }
}
