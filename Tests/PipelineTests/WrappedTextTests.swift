import Core
import Pipeline
import Testing

@Suite struct WrappedTextTests {
  @Test(arguments: [
    ("one two three", 13, "one two three"), ("one two three", 12, "one two\n  three"),
    ("one two three", 7, "one two\n  three"),
    ("one two three", 3, "one\n  two\n  three"), ("longword", 3, "longword"), ("  a   b", 20, "  a   b"),
    ("", 5, ""),
  ])
  func linesBreakAtBlanks(text: String, width: Int, expected: String) {
    #expect(wrapped(text, to: width, hanging: 2) == expected)
  }
}
