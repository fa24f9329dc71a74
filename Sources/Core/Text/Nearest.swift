/// The candidate that a mistyped word most likely means; nil when none is near.
public func nearest(to word: String, among candidates: [String]) -> String? {
  candidates.map { ($0, editDistance(word, $0)) }
    .filter { $0.1 <= max(2, word.count / 3) }
    .min { ($0.1, $0.0) < ($1.1, $1.0) }?.0
}

/// How many letters must be put in, taken out or changed (Levenshtein).
public func editDistance(_ a: String, _ b: String) -> Int {
  let b = Array(b)
  var row = Array(0...b.count)
  for (i, letter) in a.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for j in b.indices {
      let change = diagonal + (letter == b[j] ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(change, row[j] + 1, row[j + 1] + 1)
    }
  }
  return row[b.count]
}
