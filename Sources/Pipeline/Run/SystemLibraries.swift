internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#endif

/// What everything else stands on, and can change the last digit of a sine or the order in which things are found.
public enum SystemLibraries {
  /// By their names.
  public static let versions = ["libc": libc, "swift": compiler]

  private static var libc: String {
    #if canImport(Glibc)
      var text = [CChar](repeating: 0, count: 64)
      let count = confstr(Int32(_CS_GNU_LIBC_VERSION), &text, text.count)
      return String(decoding: text.prefix(max(1, count) - 1).map(UInt8.init(bitPattern:)), as: UTF8.self)
    #else
      return ProcessInfo.processInfo.operatingSystemVersionString
    #endif
  }

  /// A program does not know what compiled it but in steps.
  private static var compiler: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }
}
