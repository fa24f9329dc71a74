internal import Core
internal import Foundation
internal import Pipeline

/// Who publishes. It is never printed, neither by itself nor within something else.
struct S3Keys: Sendable {
  let id: String
  let secret: String
  /// For keys that hold for some hours.
  let session: String?

  static let variables = (
    id: "AWS_ACCESS_KEY_ID", secret: "AWS_SECRET_ACCESS_KEY", session: "AWS_SESSION_TOKEN"
  )

  /// From the environment alone: what stands on a command line, every user of the machine can read.
  init(environment: [String: String]) throws(UserError) {
    func value(_ name: String) throws(UserError) -> String? {
      // A secret that came through a file often ends with a line break.
      let text = (environment[name] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
      guard text.utf8.allSatisfy({ (33...126).contains($0) }) else {
        throw S3Keys.trouble("$\(name)", "has blanks or odd characters in it")
      }
      return text.isEmpty ? nil : text
    }
    guard let id = try value(S3Keys.variables.id) else {
      throw S3Keys.trouble("$\(S3Keys.variables.id)", "is not set")
    }
    guard let secret = try value(S3Keys.variables.secret) else {
      throw S3Keys.trouble("$\(S3Keys.variables.secret)", "is not set")
    }
    self.id = id
    self.secret = secret
    session = try value(S3Keys.variables.session)
  }

  /// What others say, without what must stay here: some stores repeat the request that they refuse.
  func redacted(_ text: String) -> String {
    [secret, session, id].compactMap(\.self).reduce(text) { $0.replacing($1, with: "…") }
  }

  private static func trouble(_ subject: String, _ problem: String) -> UserError {
    UserError(
      .badCall, operation: "looking for the keys of the store", path: subject, reason: problem,
      suggestion:
        "Set $\(variables.id) and $\(variables.secret), for temporary keys $\(variables.session) too.")
  }
}

extension S3Keys: CustomStringConvertible, CustomReflectable {
  var description: String { "keys of a store" }
  var customMirror: Swift.Mirror { Swift.Mirror(self, children: [:]) }
}
