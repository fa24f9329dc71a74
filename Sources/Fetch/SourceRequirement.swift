public import Core
public import Foundation

/// A file that must be in the cycle's folder of sources.
public struct RequiredFile: Hashable, Sendable {
  /// Relative to the folder: `Denver.zip`, `ourairports/airports.csv`
  public let path: String
  /// Its publisher's address; nil when the definition gives none.
  public let url: String?
  /// Nil for a file without editions, such as one that its publisher replaces each day.
  public let edition: Edition?
}

/// A source that some products of a plan need: a file, or the files of a folder.
public struct SourceRequirement: Sendable {
  /// The sets of files that satisfy it, best first.
  var alternatives: [[RequiredFile]]
  /// The products that need it.
  var products: [String]
  /// Throws if the file at this path is of another edition. Called from several threads.
  var check: @Sendable (_ file: SourceFile, _ path: String) throws -> Void = { _, _ in }

  /// Whether its publisher's address is known.
  var isPublished: Bool { alternatives.contains { $0.allSatisfy { $0.url != nil } } }

  var name: String { alternatives.first?.first?.path ?? "" }

  /// Returns each source once, with all products that need it.
  static func merged(_ all: [SourceRequirement]) -> [SourceRequirement] {
    var merged: [SourceRequirement] = []
    for requirement in all where !requirement.alternatives.isEmpty {
      if let index = merged.firstIndex(where: { $0.name == requirement.name }) {
        merged[index].products += requirement.products
      } else {
        merged.append(requirement)
      }
    }
    return merged
  }
}

/// Where sources are fetched from.
public enum SourceOrigin: Equatable, Sendable {
  /// The addresses in the definitions.
  case publisher
  /// A base address with the publisher's paths below it, or with all files side by side.
  case mirror(String)
  /// A folder of this machine, searched with its subfolders.
  case folder(URL)

  /// - Parameter text: the value of `--from`; nil for the publisher.
  public init(_ text: String?) throws {
    guard let text else {
      self = .publisher
      return
    }
    guard SourceOrigin.isAddress(text) else {
      self = .folder(URL(filePath: text, directoryHint: .isDirectory).standardizedFileURL)
      return
    }
    guard let url = URL(string: text), url.host?.isEmpty == false, url.query == nil, url.fragment == nil
    else {
      throw SourceOrigin.userError(text, "it is not the address of a folder")
    }
    guard url.user == nil else {
      throw SourceOrigin.userError(text, "it contains a user name or a password, which every log would show")
    }
    self = .mirror(text.hasSuffix("/") ? String(text.dropLast()) : text)
  }

  public static func isAddress(_ text: String) -> Bool {
    ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
  }

  /// Returns the possible addresses of a file, the likeliest first.
  func addresses(of file: RequiredFile) -> [String] {
    switch self {
    case .folder: []
    case .publisher: file.url.map { [$0] } ?? []
    case .mirror(let base):
      [file.url.flatMap { URLComponents(string: $0)?.percentEncodedPath }, flat(file)].compactMap(\.self)
        .map { base + $0 }
    }
  }

  private func flat(_ file: RequiredFile) -> String? {
    file.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed).map { "/" + $0 }
  }

  private static func userError(_ text: String, _ problem: String) -> UserError {
    UserError(
      .badCall, operation: "reading the address", path: text, reason: problem,
      suggestion: "Give one such as https://mirror.example/faa.")
  }
}
