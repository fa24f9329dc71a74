public import Core

// Tests write cycles and dates as JSON has them: `product.cycle == "2612"`.
extension AiracCycle: ExpressibleByStringLiteral {}
extension Instant: ExpressibleByStringLiteral {}
extension IssueDate: ExpressibleByStringLiteral {}

extension CodableText {
  public init(stringLiteral text: String) {
    guard let date = Self(text) else { preconditionFailure("\"\(text)\" is not \(Self.form)") }
    self = date
  }
}
