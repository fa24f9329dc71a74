public import Core
internal import Foundation

/// The address of a file of an edition: `https://aeronav.faa.gov/visual/{mm-dd-yyyy}/sectional-files/{name}`.
public struct SourceAddress: Codable, Equatable, Sendable {
  public let pattern: String

  struct Unusable: Error, CustomStringConvertible {
    let description: String
  }

  public init(_ pattern: String) throws {
    self.pattern = pattern
    try check()
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      try self.init(container.decode(String.self))
    } catch let error as Unusable {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(pattern)
  }

  /// The address of a file in the edition that takes effect on a day.
  public func filled(name: String, day: CalendarDay) -> String {
    let safe = name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? name
    return day.filling(pattern).replacing("{name}", with: safe)
  }

  private func check() throws {
    guard pattern.hasPrefix("https://") || pattern.hasPrefix("http://") else {
      throw Unusable(description: "\"\(pattern)\" begins neither with https:// nor with http://")
    }
    let known = CalendarDay.places + ["{name}"]
    if let stray = pattern.matches(of: /\{[^}]*\}?/).map({ String($0.0) }).first(where: {
      !known.contains($0)
    }) {
      throw Unusable(
        description: "there is no \(stray) to fill in; valid names: \(known.joined(separator: ", "))")
    }
    let plain = known.reduce(pattern) { $0.replacing($1, with: "x") }
    // A password would appear in logs and products.
    guard let url = URL(string: plain), url.host?.isEmpty == false, url.user == nil,
      plain.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw Unusable(description: "\"\(pattern)\" is not an address") }
  }
}

extension CalendarDay {
  static let places = ["{date}", "{mm-dd-yyyy}", "{day_Mon_year}", "{yymmdd}", "{dof_yymmdd}"]

  /// A pattern with this day filled in: `{date}` is `2026-02-19`, `{mm-dd-yyyy}` is `02-19-2026`, `{day_Mon_year}` is
  /// `19_Feb_2026`, `{yymmdd}` is `260219`. `{dof_yymmdd}` is `260215`, the Sunday by which the FAA names the obstacle file of 56 days that
  /// is in force.
  func filling(_ pattern: String) -> String {
    pattern.replacing("{date}", with: description).replacing("{mm-dd-yyyy}", with: monthDayYear)
      .replacing("{day_Mon_year}", with: dayNameYear).replacing("{yymmdd}", with: compact.dropFirst(2))
      .replacing("{dof_yymmdd}", with: obstacleSunday.compact.dropFirst(2))
  }

  private var obstacleSunday: CalendarDay {
    Schedule.obstacles.edition(at: Instant(self, hour: 12, minute: 0)).effectiveDay.adding(days: -4)
  }
}
