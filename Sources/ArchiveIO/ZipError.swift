internal import CZip

/// Why a zip archive, or a member of it, cannot be used.
public enum ZipError: Error, Equatable, CustomStringConvertible {
  /// libzip's own words.
  case library(String)
  /// A member whose name would leave the folder it is unpacked to.
  case unsafeName(String)
  case tooManyMembers(Int)
  /// A member that declares more bytes than any source of ours has.
  case tooLarge(String, declared: UInt64, limit: UInt64)
  /// A member that declares more bytes than its packed size makes likely.
  case tooCompressed(String, declared: UInt64, limit: UInt64)
  /// Members that together declare more than any source of ours has.
  case tooLargeTogether(limit: UInt64)
  /// A member that would begin within another.
  case overlapping(String)
  case noSuchMember(String)
  /// A member that ended before its declared size.
  case shortMember(String)

  public var description: String {
    switch self {
    case .library(let message): message
    case .unsafeName(let name): "member \"\(name)\" would escape its folder"
    case .tooManyMembers(let count): "\(count) members are more than a source has"
    case .tooLarge(let name, let declared, let limit):
      "member \"\(name)\" unpacks to \(declared) bytes, more than the \(limit) bytes of the largest source"
    case .tooCompressed(let name, let declared, let limit):
      "member \"\(name)\" unpacks to \(declared) bytes, more than the \(limit) bytes that are allowed for its packed size: "
        + "it is not cut short, but its contents look wrong"
    case .tooLargeTogether(let limit): "its members together declare more than \(limit) bytes"
    case .overlapping(let name): "member \"\(name)\" shares its bytes with others"
    case .noSuchMember(let name): "there is no member \"\(name)\""
    case .shortMember(let name): "member \"\(name)\" ends before its declared size"
    }
  }
}
