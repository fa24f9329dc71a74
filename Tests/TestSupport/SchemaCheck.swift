public import Foundation

/// A schema of `docs/schemas`, and the independent validator that reads it.
public struct SchemaCheck {
  private static let python = URL(filePath: "/usr/bin/python3")
  private let schema: String

  public init(_ schema: String) { self.schema = schema }

  /// Whether the validator is installed; `scripts/install-test-dependencies` does that.
  public static let isThere: Bool = {
    let trial = try? RunningProgram(python, ["-c", "import jsonschema"]).wait()
    return trial?.status == 0
  }()

  /// A line for each file: its name, and `ok` or what is wrong.
  public func verdicts(_ files: [URL]) throws -> [String] {
    let script = repositoryRoot.appending(path: "scripts/check-schema").path
    let schemas = repositoryRoot.appending(path: "docs/schemas").path
    let ending = try RunningProgram(
      SchemaCheck.python, [script, schemas, "\(schema).schema.json"] + files.map(\.path)
    ).wait()
    guard ending.status == 0 else { return [ending.errors] }
    return ending.output.split(separator: "\n").map(String.init)
  }
}
