import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// The division of a plan among machines.
@Suite struct ShardPlanTests {

  private func plan(_ names: String...) throws -> BuildPlan {
    let library = PipelineLibrary(folder: repositoryRoot.appending(path: "pipelines"))
    return try BuildPlan(names.map(library.definition))
  }

  private func divide(
    _ plan: BuildPlan, among count: Int, cycle: String? = "2304", _ milliseconds: (any PipelineItem) -> Int
  ) throws -> ShardPlan {
    try ShardPlan(
      plan, selection: ProductSelection(pipelines: plan.pipelines), cycle: cycle, shards: count, measured: 0,
      milliseconds: milliseconds)
  }

  @Test func `the longest unit goes first, to the machine with the least work`() {
    let shares = ShardPlan.divide([("a", 1), ("b", 5), ("c", 4), ("d", 3), ("e", 3)], among: 2)
    #expect(shares.map(\.units) == [[1, 4], [0, 2, 3]])
    #expect(shares.map(\.milliseconds) == [8, 8])
  }

  @Test func `equally long units are divided by name, whatever their order`() {
    func shares(_ names: [String]) -> [[String]] {
      ShardPlan.divide(names.map { ($0, 7) }, among: 2).map { $0.units.map { names[$0] }.sorted() }
    }
    #expect(shares(["d", "b", "a", "c"]) == [["a", "c"], ["b", "d"]])
    #expect(shares(["a", "b", "c", "d"]) == [["a", "c"], ["b", "d"]])
  }

  @Test(arguments: [1, 7, 64, 1024])
  func `each product is in one shard, and no shard is much longer than another`(count: Int) throws {
    let plan = try plan("vfr-sectional", "vfr-terminal", "nasr", "obstacles")
    let divided = try divide(plan, among: count) { $0.product.utf8.reduce(100) { $0 + Int($1) } }
    let products = divided.shards.flatMap(\.products)
    #expect(products.sorted() == plan.units.joined().map(\.product).sorted())
    #expect(
      divided.afterwards == [
        "vfr-sectional/United_States", "vfr-sectional/Alaska", "vfr-terminal/United_States",
      ])
    try divided.check(plan, in: "plan.json")
    let loads = divided.shards.map(\.seconds).filter { $0 > 0 }
    let longestUnit =
      plan.units.map { $0.reduce(0) { $0 + $1.product.utf8.reduce(100) { $0 + Int($1) } } }.max() ?? 0
    let mean = loads.reduce(0, +) / Double(count)
    #expect((loads.max() ?? 0) <= mean + Double(longestUnit) / 1000)
  }

  @Test func `an export is built where its database is`() throws {
    let divided = try divide(try plan("sample-nasr", "sample-obstacles"), among: 2) { _ in 1000 }
    #expect(
      divided.shards[0].products.first == "sample-nasr/aviation" && divided.shards[0].products.count == 6)
    #expect(
      divided.shards[1].products == [
        "sample-obstacles/obstacles", "sample-obstacles/map", "sample-obstacles/vector",
      ])
  }

  @Test func `a plan survives its file, and its hash names its content`() throws {
    let folder = TemporaryFolder()
    let file = folder.file("plan.json")
    var divided = try divide(plan("sample-mosaic"), among: 2) { $0.id.utf8.count * 333 }
    try CanonicalJSON.pretty(divided).write(to: file)
    let read = try ShardPlan(contentsOf: file)
    #expect(read == divided)
    #expect(try read.sha256() == divided.sha256())
    divided.shards[0].seconds += 0.001
    #expect(try read.sha256() != divided.sha256())
  }

  @Test(arguments: [
    (
      "\"version\" : \"\(ToolVersion.version)\"", "\"version\" : \"0.1.0\"",
      "it is a plan of chartpipe 0.1.0, and this is"
    ),
    ("\"cycle\" : \"2304\"", "\"cycle\" : \"2399\"", "there is no AIRAC cycle \"2399\""),
    ("\"cycle\" : \"2304\",", "", "it was made without --cycle"),
    ("\"shard\" : \"2/2\"", "\"shard\" : \"1/2\"", "its shards are not numbered 1/N to N/N"),
    ("\"format\" : 1", "\"format\" : 2", "its format 2 is not known"),
    ("\"shards\"", "\"parts\"", "the key `shards` is missing"),
  ])
  func `refuses a plan that it cannot build from`(part: String, other: String, problem: String) throws {
    let folder = TemporaryFolder()
    let file = folder.file("plan.json")
    let text = String(
      decoding: try CanonicalJSON.pretty(divide(plan("sample-mosaic"), among: 2) { _ in 1 }), as: UTF8.self)
    try #require(text.contains(part))
    try text.replacing(part, with: other).write(to: file, atomically: true, encoding: .utf8)
    try expectFault(problem, remedy: "chartpipe plan") { try ShardPlan(contentsOf: file) }
  }

  @Test func `refuses an edited plan that loses, repeats or separates products`() throws {
    let plan = try plan("sample-nasr", "sample-obstacles")
    let good = try divide(plan, among: 2) { _ in 1 }
    func expectRefusal(_ edit: (inout ShardPlan) -> Void) {
      var bad = good
      edit(&bad)
      let fault = #expect(throws: UserError.self) { try bad.check(plan, in: "plan.json") }
      #expect(fault?.reason == "its shards do not have each product once")
    }
    expectRefusal { $0.shards[1].products.removeLast() }
    expectRefusal { $0.shards[1].products.append("sample-obstacles/map") }
    expectRefusal { $0.shards[1].products.append("sample-nasr/other") }
    expectRefusal { $0.shards[0].products.append($0.shards[1].products.removeLast()) }
    expectRefusal { $0.afterwards = ["x/y"] }
  }

  @Test(arguments: ["0/2", "3/2", "1", "1/2/3", "-1/2", "+1/2", "1/1025", "a/b", "", "١/٢"])
  func `reads only a number from 1 to N`(text: String) {
    #expect(ShardNumber(text) == nil)
    #expect(ShardNumber("2/3")?.folderName == "part-2-of-3")
  }
}
