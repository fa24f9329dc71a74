internal import Core
public import Foundation
internal import Pipeline

/// Where sources are fetched from.
public enum SourceOrigin: Equatable, Sendable {
  /// From where the definitions say.
  case publisher
  /// From an address below which the same paths lie as with the publisher, or all files side by side.
  case mirror(String)
  /// From a folder of this machine, in whatever subfolders they lie.
  case folder(URL)

  /// - Parameter text: what a person wrote after `--from`; nil for the publisher.
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
      throw SourceOrigin.fault(text, "it is no address of a folder")
    }
    guard url.user == nil else {
      throw SourceOrigin.fault(
        text, "it contains a user name or a password, which every log would show")
    }
    self = .mirror(text.hasSuffix("/") ? String(text.dropLast()) : text)
  }

  public static func isAddress(_ text: String) -> Bool {
    ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
  }

  /// Where a file may be, the likeliest first.
  func addresses(of file: WantedFile) -> [String] {
    switch self {
    case .folder: []
    case .publisher: file.url.map { [$0] } ?? []
    case .mirror(let base):
      [file.url.flatMap { URLComponents(string: $0)?.percentEncodedPath }, flat(file)].compactMap(\.self)
        .map { base + $0 }
    }
  }

  private func flat(_ file: WantedFile) -> String? {
    file.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed).map { "/" + $0 }
  }

  private static func fault(_ text: String, _ problem: String) -> UserError {
    UserError(
      .badCall, operation: "reading the address", path: text, reason: problem,
      suggestion: "Give one such as https://mirror.example/faa.")
  }
}
