import Pipeline
import Testing

@Suite struct OrderedThreadsTests {
  @Test(arguments: [0, 1, 3]) func `results come in the order of the work, at any width`(width: Int) {
    let threads = OrderedThreads<Int>(width: width)
    var results: [Int] = []
    for number in 0..<200 {
      threads.add { (0..<(200 - number)).reduce(number * 1000) { sum, _ in sum } }
      while threads.isFull, let result = threads.next() { results.append(result) }
    }
    while let result = threads.next() { results.append(result) }
    #expect(results == (0..<200).map { $0 * 1000 })
    #expect(threads.next() == nil)
  }

  @Test func `it is full before much waits`() {
    let threads = OrderedThreads<Int>(width: 2)
    for number in 0..<4 {
      #expect(!threads.isFull)
      threads.add { number }
    }
    #expect(threads.isFull)
    #expect(threads.next() == 0)
    #expect(!threads.isFull)
  }
}
