public import Core
public import Foundation
public import Testing

/// Expects an error for the user: with all of these words in its reason, of this kind, and with these words in its next step and
/// in its whole message.
@discardableResult
public func expectFault<Value>(
  _ reason: String..., kind: UserError.Kind? = nil, remedy: String? = nil, message: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Value
) throws -> UserError {
  let fault = try #require(throws: UserError.self, sourceLocation: sourceLocation) { _ = try body() }
  if let kind { #expect(fault.kind == kind, "\(fault)", sourceLocation: sourceLocation) }
  for words in reason { #expect(fault.reason.contains(words), "\(fault)", sourceLocation: sourceLocation) }
  if let remedy {
    #expect(fault.suggestion?.contains(remedy) == true, "\(fault)", sourceLocation: sourceLocation)
  }
  if let message { #expect(fault.message.contains(message), "\(fault)", sourceLocation: sourceLocation) }
  return fault
}

/// The contents of all files below a folder, by their paths.
public func fileContents(below folder: URL) throws -> [String: Data] {
  let paths = try files(below: folder)
  return Dictionary(uniqueKeysWithValues: try paths.map { ($0, try folder.appending(path: $0).data) })
}
