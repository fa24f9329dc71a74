/// Runs `work` on the inputs with at most `width` at a time, and gives the results to `consume` in the inputs' order.
///
/// One consumer and a fixed order make the output the same at any width. At most `2 * width` results wait for an
/// earlier one, so memory is bounded too. The first error ends the whole; what was under way is cancelled.
public func orderedWorkers<Input: Sendable, Output: Sendable>(
  _ inputs: [Input], width: Int,
  work: @escaping @Sendable (Input) throws -> Output,
  consume: (Output) throws -> Void
) async throws {
  var rest = inputs[...]
  try await orderedWorkers(width: width, next: { rest.popFirst() }, work: work, consume: consume)
}

/// The same with inputs that are made only when there is a worker for them; `next` gives nil after the last.
public func orderedWorkers<Input: Sendable, Output: Sendable>(
  width: Int,
  next: () async throws -> Input?,
  work: @escaping @Sendable (Input) throws -> Output,
  consume: (Output) throws -> Void
) async throws {
  try await withThrowingTaskGroup(of: (Int, Output).self) { group in
    var nextToStart = 0
    var nextToConsume = 0
    var waiting: [Int: Output] = [:]
    var isDry = false
    func startMore() async throws {
      while !isDry, nextToStart - nextToConsume < 2 * max(1, width),
        nextToStart - nextToConsume - waiting.count < max(1, width)
      {
        guard let input = try await next() else {
          isDry = true
          return
        }
        let index = nextToStart
        group.addTask {
          try Task.checkCancellation()
          return (index, try work(input))
        }
        nextToStart += 1
      }
    }
    try await startMore()
    while let (index, output) = try await group.next() {
      waiting[index] = output
      while let ready = waiting.removeValue(forKey: nextToConsume) {
        try consume(ready)
        nextToConsume += 1
      }
      try Task.checkCancellation()
      try await startMore()
    }
  }
}
