public import Core
internal import Foundation

/// The address of a file of an edition: `https://aeronav.faa.gov/visual/{mm-dd-yyyy}/sectional-files/{name}`.
public struct SourceAddress: Codable, Equatable, Sendable {
  public let pattern: String

  init(_ pattern: String) { self.pattern = pattern }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    pattern = try container.decode(String.self)
    if let problem { throw DecodingError.dataCorruptedError(in: container, debugDescription: problem) }
  }

  public func encode(to encoder: any Encoder) throws { try pattern.encode(to: encoder) }

  /// The address of a file in the edition that takes effect on a day.
  public func filled(name: String, day: CalendarDay) -> String {
    let safe = name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? name
    return day.filling(pattern).replacing("{name}", with: safe)
  }

  private var problem: String? {
    guard pattern.hasPrefix("https://") || pattern.hasPrefix("http://") else {
      return "\"\(pattern)\" begins neither with https:// nor with http://"
    }
    let known = CalendarDay.places + ["{name}"]
    let marks = pattern.matches(of: /\{[^}]*\}?/).map { String($0.0) }
    if let stray = marks.first(where: { !known.contains($0) }) {
      return "there is no \(stray) to fill in; valid names: \(known.joined(separator: ", "))"
    }
    let plain = known.reduce(pattern) { $0.replacing($1, with: "x") }
    // A password would appear in logs and products.
    let url = URL(string: plain)
    let isAddress =
      url?.host?.isEmpty == false && url?.user == nil && plain.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    return isAddress ? nil : "\"\(pattern)\" is not an address"
  }
}

extension CalendarDay {
  static let places = ["{date}", "{mm-dd-yyyy}", "{day_Mon_year}", "{yymmdd}", "{yynn}", "{dof_yymmdd}"]

  /// A pattern with this day filled in: `{date}` is `2026-02-19`, `{mm-dd-yyyy}` is `02-19-2026`, `{day_Mon_year}` is
  /// `19_Feb_2026`, `{yymmdd}` is `260219`, `{yynn}` is the cycle, `2602`. `{dof_yymmdd}` is `260215`, the Sunday by which the FAA names the obstacle file of 56 days that
  /// is in force.
  func filling(_ pattern: String) -> String {
    pattern.replacing("{date}", with: description).replacing("{mm-dd-yyyy}", with: monthDayYear)
      .replacing("{day_Mon_year}", with: dayNameYear).replacing("{yymmdd}", with: compact.dropFirst(2))
      .replacing("{yynn}", with: AiracCycle(at: Instant(self, hour: 12, minute: 0)).identifier)
      .replacing("{dof_yymmdd}", with: obstacleSunday.compact.dropFirst(2))
  }

  private var obstacleSunday: CalendarDay {
    Schedule.obstacles.edition(at: Instant(self, hour: 12, minute: 0)).effectiveDay.adding(days: -4)
  }
}
