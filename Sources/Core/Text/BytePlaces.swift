extension ArraySlice<UInt8> {
  /// Where a text that is not empty begins. The standard library searches slowly.
  public func places(of text: String) -> UnfoldSequence<Int, Int> {
    sequence(state: startIndex) { [word = Array(text.utf8)] at in
      while let place = self[at...].firstIndex(of: word[0]) {
        at = place + 1
        if self[place...].starts(with: word) { return place }
      }
      return nil
    }
  }
}
