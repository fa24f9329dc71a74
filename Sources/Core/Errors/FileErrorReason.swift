internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension Error {
  /// What the system says of a file that could not be read or written, in few words; Foundation's own are long and
  /// name its codes.
  public var fileErrorReason: String {
    if let error = self as? POSIXError { return String(cString: strerror(error.code.rawValue)) }
    // What a file's own calls throw does not always come as one of those.
    let plain = self as NSError
    if plain.domain == NSPOSIXErrorDomain {
      return String(cString: strerror(Int32(truncatingIfNeeded: plain.code)))
    }
    guard let error = self as? CocoaError else { return "\(self)" }
    switch error.code {
    case .fileWriteOutOfSpace: return "the disk is full"
    case .fileWriteNoPermission, .fileReadNoPermission: return "permission is denied"
    case .fileNoSuchFile, .fileReadNoSuchFile: return "there is no such file or folder"
    case .fileWriteFileExists: return "a file of that name is in the way"
    case .fileWriteVolumeReadOnly: return "the file system is read-only"
    default: break
    }
    if let system = error.underlying as? POSIXError { return String(cString: strerror(system.code.rawValue)) }
    return error.underlying.map { "\($0)" } ?? error.localizedDescription
  }
}
