/// Compares the names of files in the spellings of their publisher.
///
/// The FAA's server does not distinguish capitals, and the FAA writes `-`, `_`, spaces and apostrophes in different ways from one
/// edition to the next, and in a zip's name and in the names inside. All files of a publisher are looked up through this type.
public enum PublishedName {
  /// The form that all spellings of a name share: `dallasloveinsethel.tif`.
  public static func key(_ name: String) -> String {
    String(String.UnicodeScalarView(name.lowercased().unicodeScalars.filter { !ignored.contains($0) }))
  }

  /// Hyphens and dashes, separators, and the typewriter's and the printer's apostrophes.
  private static let ignored: Set<Unicode.Scalar> = [
    "-", "_", " ", "'", "`", "\u{A0}", "\u{B4}", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2018}",
    "\u{2019}",
  ]

  /// Returns the candidates with exactly this name or, if there are none, with another spelling of it.
  /// More than one result means that the name is ambiguous.
  public static func matches<Candidate>(
    _ name: String, among candidates: [Candidate], by candidateName: (Candidate) -> String
  ) -> [Candidate] {
    let exact = candidates.filter { candidateName($0) == name }
    guard exact.isEmpty else { return exact }
    let key = key(name)
    return candidates.filter { PublishedName.key(candidateName($0)) == key }
  }
}
