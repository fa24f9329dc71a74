internal import Core
internal import Foundation
internal import HTTPIO

/// Explains the refusals of a store to the user.
extension S3Connection {
  /// Returns the error for an answer that is not a success.
  func error(_ answer: S3Answer, about request: S3Request) -> UserError {
    let refusal = answer.refusal
    let region = keys.redacted(refusal?.region ?? answer.headers["x-amz-bucket-region"] ?? "")
    let text =
      explanation(ofCode: refusal?.code ?? "", answer.status, region, request)
      ?? explanation(ofStatus: answer.status, refusal?.code ?? "")
    return error(text, [refusal?.code, refusal?.message], about: request)
  }

  func error(_ error: HTTPError, about request: S3Request) -> UserError {
    let place = target.endpoint ?? "Amazon S3 in \(target.region)"
    let text =
      switch error.kind {
      case .unreachable:
        ("\(place) cannot be reached", "Check the network, and --endpoint or $AWS_ENDPOINT_URL.")
      case .timedOut: ("\(place) does not answer", "Try again later.")
      case .brokenOff: ("the connection to \(place) broke off again and again", "Try again later.")
      case .untrusted:
        ("\(place) has no valid certificate", "Check --endpoint, and the certificates of this machine.")
      case .cancelled, .unusable: ("\(place) sent no usable answer", "Check --endpoint.")
      }
    return self.error(text, [error.message], about: request)
  }

  private func error(
    _ text: (problem: String, remedy: String), _ cause: [String?], about request: S3Request
  ) -> UserError {
    // Shortened last: half a secret would not be redacted.
    let words = keys.redacted(cause.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ": "))
      .prefix(300)
    return UserError(
      .failed, operation: request.operation,
      path: request.key.map { "\(target.name)/\($0)" } ?? target.name, reason: text.problem,
      suggestion: text.remedy, causes: words.isEmpty ? [] : [HTTPError(.unusable, String(words))])
  }

  private func explanation(
    ofCode code: String, _ status: Int, _ region: String, _ request: S3Request
  ) -> (problem: String, remedy: String)? {
    switch (code, status) {
    case ("NoSuchBucket", _):
      (
        "there is no bucket \(target.bucket)",
        "Create it first, or correct the target. A store other than Amazon's needs --endpoint."
      )
    case ("RequestTimeTooSkewed", _):
      ("the clock of this machine is wrong", "Set it, for example with timedatectl set-ntp true.")
    case ("InvalidAccessKeyId", _):
      (
        "the store does not know $AWS_ACCESS_KEY_ID",
        "Check it. The keys of another store need that store's --endpoint."
      )
    case ("SignatureDoesNotMatch", _):
      (
        "the store does not accept the signature",
        "$AWS_SECRET_ACCESS_KEY must belong to $AWS_ACCESS_KEY_ID, and $AWS_REGION must be the bucket's."
      )
    case ("ExpiredToken", _), ("InvalidToken", _), ("TokenRefreshRequired", _):
      (
        "$AWS_SESSION_TOKEN has expired or is not valid",
        "Get new temporary keys, or empty the variable for permanent ones."
      )
    case ("AuthorizationHeaderMalformed", _), ("IllegalLocationConstraintException", _), (_, 301), (_, 307):
      (
        "the bucket is not in the region \(target.region)",
        region.isEmpty ? "Set $AWS_REGION to the bucket's." : "Set $AWS_REGION to \(region)."
      )
    case ("XAmzContentSHA256Mismatch", _), ("BadDigest", _):
      (
        "the bytes that arrived are not those that were sent",
        "The network damages data, or the file changed. Try again."
      )
    case ("NotImplemented", _) where request.hasCondition, (_, 501) where request.hasCondition:
      (
        "the store does not support conditional writes (If-Match, If-None-Match)",
        "Without them two publishers could overwrite each other. Choose a store that supports them."
      )
    default: nil
    }
  }

  private func explanation(ofStatus status: Int, _ code: String) -> (problem: String, remedy: String) {
    switch status {
    case 401, 403:
      return (
        "the store denies access",
        "The key needs the permissions of docs/OPERATIONS.md, including list: without it the store answers 403 for absent objects."
      )
    case 429,
      500...599 where status != 501:
      return ("the store is busy or broken (\(status))", "Try again later.")
    default:
      let code = keys.redacted(code)
      return (
        "the store refused it (\(status)\(code.isEmpty ? "" : " \(code)"))",
        "Check the target and --endpoint. --verbose shows the store's own message."
      )
    }
  }
}

extension XMLNode {
  /// The root of a store's answer.
  ///
  /// Returns nil for a text that is not XML, or that a parser should not read.
  static func answer(_ data: Data) -> XMLNode? {
    var root: XMLNode?
    // A page of a list has a thousand objects, each with a handful of elements.
    let reader = XMLTreeReader<XMLNode>(limits: (elements: 100_000, depth: 16)) { root = $0 }
    // A store sends blanks while it works, and XML allows no declaration after blanks.
    let blanks: Set<UInt8> = [9, 10, 13, 32]
    return (try? reader.read(Data(data.drop { blanks.contains($0) }))).flatMap { root }
  }
}
