public import Airac
internal import Foundation
public import Pipeline

/// A file as it is to lie below the cycle's folder of sources.
public struct WantedFile: Hashable, Sendable {
  /// `Denver.zip`, `ourairports/airports.csv`
  public let path: String
  /// Where its publisher has it; nil when the definition does not say.
  public let url: String?
}

/// What some items of a plan are made of: a file, or the files of a folder.
public struct SourceWish: Sendable {
  /// In which ways it can be had, best first; each is all the files that it takes.
  public let ways: [[WantedFile]]
  /// Nil for what is of no edition, such as a file that its publisher writes anew each day.
  public let edition: Edition?
  /// Which items need it.
  public internal(set) var items: [PipelineItem]

  public struct Edition: Equatable, Sendable {
    public let cycle: AiracCycle
    public let cadence: Cadence

    var expires: Instant { cycle.expires(cadence) }
  }

  /// Whether it is one of these files.
  public func isFile(of names: [String]) -> Bool { ways.joined().contains { names.contains($0.path) } }

  /// Whether its publisher's address is known.
  public var isPublished: Bool { ways.contains { $0.allSatisfy { $0.url != nil } } }

  var name: String { ways.first?.first?.path ?? "" }

  /// Each once, in the order of the items.
  public static func wishes(of items: [PipelineItem], for cycle: AiracCycle) -> [SourceWish] {
    var wishes: [SourceWish] = []
    var places: [String: Int] = [:]
    for item in items {
      for wish in self.wishes(of: item, for: cycle) where !wish.ways.isEmpty {
        if let place = places[wish.name] {
          wishes[place].items.append(item)
        } else {
          places[wish.name] = wishes.count
          wishes.append(wish)
        }
      }
    }
    return wishes
  }

  private static func wishes(of item: PipelineItem, for cycle: AiracCycle) -> [SourceWish] {
    switch item.content {
    case .mosaic: []
    case .chart(let chart, let family): [SourceWish(chart, family, item, cycle)]
    case .nasr(let definition):
      // The shapes are inside the subscription, unless the definition says where else they are.
      [definition.sources, definition.obstacles ?? []].map { SourceWish($0, definition, item, cycle) }
        + [definition.classAirspace ?? [], definition.specialUse ?? []].map {
          SourceWish($0, definition, item, cycle, onlyWithURL: true)
        }
    case .export(let export, let definition): [SourceWish(export.world ?? [], definition, item, cycle)]
    }
  }

  private init(_ chart: ChartDefinition, _ family: ChartFamily, _ item: PipelineItem, _ cycle: AiracCycle) {
    let issue = cycle.issue(family.cadence)
    ways = [
      [
        WantedFile(
          path: chart.zip, url: family.url?.filled(name: chart.zip, day: issue.effectiveDay))
      ]
    ]
    edition = Edition(cycle: issue, cadence: family.cadence)
    items = [item]
  }

  private init(
    _ patterns: [String], _ definition: NASRDefinition, _ item: PipelineItem, _ cycle: AiracCycle,
    onlyWithURL: Bool = false
  ) {
    let day = cycle.effectiveDay
    let urls = definition.urls ?? [:]
    ways = patterns.compactMap { pattern in
      let keys = urls.keys.filter { $0 == pattern || $0.hasPrefix(pattern + "/") }.sorted()
      if keys.isEmpty {
        let name = definition.names([pattern], for: cycle)
        // What has no ending is a folder, and nobody says what is in it.
        return onlyWithURL || !pattern.contains(".") ? nil : name.map { WantedFile(path: $0, url: nil) }
      }
      return zip(keys, definition.names(keys, for: cycle)).map { key, path in
        WantedFile(path: path, url: urls[key]?.filled(name: path, day: day))
      }
    }
    let isDated = patterns.contains { $0.contains("{") }
    edition = isDated ? Edition(cycle: cycle, cadence: definition.cadence) : nil
    items = [item]
  }
}
