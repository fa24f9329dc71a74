/// The names of files as their publisher writes them.
///
/// The FAA's server does not distinguish capitals, and the FAA writes `-`, `_`, spaces and apostrophes in different ways from one
/// edition to the next, and in a zip's name and in the names inside. All files of a publisher are looked up through this type.
public enum PublishedName {
  /// What all spellings of one name have in common: `dallasloveinsethel.tif`.
  public static func key(_ name: String) -> String {
    String(String.UnicodeScalarView(name.lowercased().unicodeScalars.filter { !ignored.contains($0) }))
  }

  /// Hyphens and dashes, separators, and the typewriter's and the printer's apostrophes.
  private static let ignored: Set<Unicode.Scalar> = [
    "-", "_", " ", "'", "`", "\u{A0}", "\u{B4}", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2018}",
    "\u{2019}",
  ]

  /// The candidates that have exactly this name or, when none has, those that have another spelling of it.
  /// More than one means that the name is ambiguous.
  public static func matches<Candidate>(
    _ name: String, among candidates: [Candidate], by candidateName: (Candidate) -> String
  ) -> [Candidate] {
    let exact = candidates.filter { candidateName($0) == name }
    guard exact.isEmpty else { return exact }
    let key = key(name)
    return candidates.filter { PublishedName.key(candidateName($0)) == key }
  }
}
