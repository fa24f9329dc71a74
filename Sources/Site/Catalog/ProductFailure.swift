public import Core
public import Foundation
internal import Pipeline

/// Why a product could not be made, in the words of the run.
public struct ProductFailure: Codable, Equatable, Sendable {
  public var id: String
  public var message: String
  public var remedy: String?

  public init(id: String, message: String, remedy: String? = nil) {
    self.id = id
    self.message = message
    self.remedy = remedy
  }

  /// - Parameter folders: where the work was done, which later readers do not need: a path below one of them is relative
  ///   from there.
  public init(id: String, _ fault: UserError, leavingOut folders: [URL]) {
    let relative = { (text: String) in
      folders.reduce(text) { text, folder in
        text.replacing(folder.path + "/", with: "").replacing(folder.path, with: folder.lastPathComponent)
      }
    }
    self.init(
      id: id, message: relative(fault.line), remedy: fault.suggestion.map(relative))
  }
}
