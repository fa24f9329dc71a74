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
  /// The other files that the file names, such as the PDFs of a list. They are fetched after it.
  var filesNamed: [@Sendable (_ file: SourceFile) throws -> [RequiredFile]] = []

  /// Whether its publisher's address is known.
  var isPublished: Bool { alternatives.contains { $0.allSatisfy { $0.url != nil } } }

  var name: String { alternatives.first?.first?.path ?? "" }

  /// The sources that the files of these requirements name, as far as those files are in a folder.
  static func named(by requirements: [SourceRequirement], in folder: URL) throws -> [SourceRequirement] {
    let named = try requirements.flatMap { requirement -> [SourceRequirement] in
      guard !requirement.filesNamed.isEmpty else { return [] }
      let files = requirement.alternatives.joined().lazy.map { folder.appending(path: $0.path) }
      guard let file = files.first(where: \.isRegularFile) else { return [] }
      let source = try SourceFolder.file(file)
      return try requirement.filesNamed.flatMap { try $0(source) }.map {
        SourceRequirement(alternatives: [[$0]], products: requirement.products)
      }
    }
    return merged(named)
  }

  /// Returns each source once, with all products that need it.
  static func merged(_ all: [SourceRequirement]) -> [SourceRequirement] {
    var merged: [SourceRequirement] = []
    var places: [String: Int] = [:]
    for requirement in all where !requirement.alternatives.isEmpty {
      if let place = places[requirement.name] {
        merged[place].products += requirement.products.filter { !merged[place].products.contains($0) }
        merged[place].filesNamed += requirement.filesNamed
      } else {
        places[requirement.name] = merged.count
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

  /// The folder; nil for a server.
  public var localFolder: URL? { if case .folder(let folder) = self { folder } else { nil } }

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
