import Core
import Foundation
import Pipeline

/// What a run is about to do, and what that will take, told before the work begins.
struct RunForecast: Encodable, Equatable {
  private enum CodingKeys: String, CodingKey {
    case event, cycle, steps, ofSteps, failed, buildBytes, siteBytes, seconds
  }

  private(set) var event = "plan"
  var cycle: String
  /// How many steps are to be done, and how many there are.
  var steps: Int
  var ofSteps: Int
  /// How many cannot be done since their sources, or those of their parts, cannot be had; nil where all can.
  var failed: Int?
  var buildBytes: Int
  /// Nil for a build, which stages nothing.
  var siteBytes: Int?
  /// As last time; nil unless all of them were measured then.
  var seconds: Double?

  var text: String {
    guard steps > 0 else {
      guard let failed else { return "Cycle \(cycle): all steps are up to date." }
      let rest = ofSteps > failed ? "; the others are up to date" : ""
      return "Cycle \(cycle): \(failed) of \(Counts.of(ofSteps, "step")) cannot be done\(rest)."
    }
    let site = siteBytes.map { " and \(Counts.bytes($0)) of the site" } ?? ""
    let time = seconds.map { ", \(Counts.measured($0)) as last time" } ?? ""
    return
      "Cycle \(cycle): \(steps) of \(Counts.of(ofSteps, "step")) to do, about \(Counts.bytes(buildBytes)) of build\(site)\(time)."
  }
}

extension Console {
  func show(_ forecast: RunForecast) {
    if json, !quiet {
      guard let line = try? CanonicalJSON.line(forecast) else { return }
      Console.complain(String(decoding: line, as: UTF8.self) + "\n")
    } else {
      note(forecast.text)
    }
  }
}
