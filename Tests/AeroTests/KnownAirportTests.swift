import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

struct KnownAirportTests {
  let folder = TemporaryFolder()

  private func known(_ list: String) throws -> AdjacentFile<[KnownAirport]> {
    try folder.file("known-airports.json5").put(list)
    var known = try Data("\"known-airports.json5\"".utf8).decoded(AdjacentFile<[KnownAirport]>.self)
    try known.load(from: folder.url, KnownAirport.list)
    return known
  }

  @Test func `a build warns of each value that is not the known one`() throws {
    let subscription = try Subscription("2304")
    subscription.definition.known = try known(
      """
      [
        { icao: "KPAO", since: "2301", values: { elevation: "1.0", name: "PALO ALTO" } },
        { icao: "KPAO", since: "2303", values: { elevation: "6.8", runways: "13/31 2443 x 71 asphalt" } },
        { icao: "KPAO", since: "2305", values: { name: "A LATER NAME" } },
        { icao: "KXXX", since: "2301", values: { type: "airport" } },
      ]
      """)
    let outcome = try subscription.build(in: folder).outcome
    let texts = [
      "KPAO: runways is 13/31 2443 x 70 asphalt, and 13/31 2443 x 71 asphalt is known",
      "KXXX: type is missing, and the airport is missing",
    ]
    #expect(outcome.warnings.filter { $0.hasPrefix("K") } == texts)
    #expect(outcome.problems.counts.filter { $0.kind == .contradiction }.map(\.count) == [1, 1])
  }

  @Test(arguments: [
    ("[{ icao: \"KPAO\", since: \"2399\", values: {} }]", "there is no AIRAC cycle 2399"),
    ("[{ icao: \"KPAO\", since: \"2304\", values: { elevatoin: \"6.8\" } }]", "\"elevatoin\" is none of"),
    ("[{ icao: \"KPAO\", since: \"2304\", valeus: {} }]", "valeus"), ("[", "JSON5"),
  ])
  func `a list that cannot be used is refused`(list: String, reason: String) throws {
    try expectFault("\(reason)", kind: .badInput, remedy: "known-airports.json5") { _ = try known(list) }
  }

  @Test func `the shipped list names airports all over the country`() throws {
    let nasr = try #require(
      try PipelineLibrary.read(repositoryRoot.appending(path: "pipelines/nasr.json5")) as? NASRDefinition)
    let airports = try #require(nasr.known).content
    #expect(Set(airports.map(\.icao)).count == 25)
    #expect(Set(airports.map(\.icao)).isSuperset(of: ["KPAO", "KEYW", "PHNL", "5KE", "KEDW", "CA35"]))
  }
}
