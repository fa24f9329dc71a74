import Core
import HTTPIO
import Synchronization
import Testing

@Suite struct RetryPolicyTests {
  private final class Pauses: Sendable {
    let all = Mutex<[Duration]>([])
  }

  private func answer(_ status: Int, _ fields: [String: String] = [:]) -> HTTPStatusError {
    HTTPStatusError(HTTPAnswer(status: status, headers: fields, url: "http://a/"))
  }

  private func pauses(_ error: any Error, chance: Double = 0, attempts: Int = 4) -> [Duration] {
    let pauses = Pauses()
    let retry = RetryPolicy(
      attempts: attempts, firstPause: .seconds(1), longestPause: .seconds(3),
      sleep: { pause in pauses.all.withLock { $0.append(pause) } }, chance: { chance })
    #expect(throws: (any Error).self) { try retry.perform { throw error } }
    return pauses.all.withLock { $0 }
  }

  @Test func pausesGrowUpToALimit() {
    #expect(pauses(HTTPError(.timedOut, "")) == [.seconds(1), .seconds(2), .seconds(3)])
    #expect(pauses(answer(500)) == [.seconds(1), .seconds(2), .seconds(3)])
  }

  @Test func chanceShortensThem() {
    #expect(
      pauses(HTTPError(.brokenOff, ""), chance: 0.5) == [.seconds(0.75), .seconds(1.5), .seconds(2.25)])
  }

  @Test func whatDoesNotPassIsNotTriedAgain() {
    #expect(pauses(HTTPError(.untrusted, "")).isEmpty)
    #expect(pauses(HTTPError(.cancelled, "")).isEmpty)
    #expect(pauses(answer(404)).isEmpty)
    #expect(pauses(CancellationError()).isEmpty)
  }

  @Test func theServersWishIsHonouredUpToALimit() {
    #expect(pauses(answer(503, ["retry-after": "7"]), attempts: 2) == [.seconds(7)])
    #expect(pauses(answer(429, ["retry-after": "0"]), attempts: 2) == [.seconds(1)])
    #expect(pauses(answer(503, ["retry-after": "86400"])).isEmpty)
    #expect(
      pauses(answer(503, ["retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"]), attempts: 2) == [.seconds(1)])
    #expect(pauses(answer(503, ["retry-after": "-99999999999999999999"]), attempts: 2) == [.seconds(1)])
  }

  @Test func aSleepEndsWhenItIsCancelled() {
    let token = CancellationToken()
    token.cancel()
    #expect(throws: HTTPError.self) { try token.run { try RetryPolicy.sleep(.seconds(3600)) } }
  }
}
