import Pipeline
import Testing

@Suite("Warnings of blank strips")
struct ReferenceDoubtTests {
  private static func doubts(rows: [ClosedRange<Int>], columns: [ClosedRange<Int>] = []) -> [String] {
    let blanks =
      rows.map { Product.Reference.Blank(direction: .row, first: $0.lowerBound, last: $0.upperBound) }
      + columns.map { .init(direction: .column, first: $0.lowerBound, last: $0.upperBound) }
    return Product.Reference(cell: 32, columns: 10, rows: 10, blanks: blanks).doubts
  }

  @Test("a single row is named")
  func single() throws {
    let doubts = Self.doubts(rows: [7...7])
    #expect(doubts.count == 1)
    #expect(try #require(doubts.first).hasPrefix("row 7 of its sheet has a single colour"))
  }

  @Test("many strips make one warning for rows and one for columns")
  func many() {
    let doubts = Self.doubts(rows: (0..<300).map { 10 * $0...10 * $0 + 1 }, columns: [3...3, 9...9])
    #expect(doubts.count == 2)
    #expect(doubts[0].hasPrefix("rows 0 to 1, 10 to 11, 20 to 21, 30 to 31 and 296 more of its sheet have"))
    #expect(doubts[1].hasPrefix("columns 3 and 9 of its sheet have"))
  }

  @Test("without strips there is none")
  func none() { #expect(Self.doubts(rows: []).isEmpty) }
}
