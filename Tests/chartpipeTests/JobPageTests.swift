import Testing
import Validation

@testable import chartpipe

/// What goes to a job's page may hold anything.
struct JobPageTests {
  @Test func `a mark is one line, whatever is in it`() {
    #expect(
      JobPage.annotation(.warning, title: "a:b,c", "50 % of\r\nx: y, z")
        == "::warning title=a%3Ab%2Cc::50 %25 of%0D%0Ax: y, z")
  }

  @Test func `a cell stays a cell`() {
    #expect(
      Markdown.escaped("a|b\r\n<script>`x` [y](z) &")
        == "a&#124;b &#60;script&#62;&#96;x&#96; &#91;y&#93;&#40;z&#41; &#38;")
    #expect(Markdown.table(["a", ""], [["1", "|"]]) == "| a |  |\n| --- | --- |\n| 1 | &#124; |\n")
  }
}
