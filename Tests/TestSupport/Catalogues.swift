public import Foundation

/// Good and spoiled catalogues. The program and the clients in Swift, Python and TypeScript agree on all of them.
public enum Catalogues {
  public static let folder = repositoryRoot.appending(path: "Tests/Catalogues")

  public static func good() throws -> [URL] { try files("good") }
  public static func spoiled() throws -> [URL] { try files("spoiled") }

  private static func files(_ kind: String) throws -> [URL] {
    let folder = folder.appending(path: kind)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      folder.appending(path: $0)
    }
  }
}
