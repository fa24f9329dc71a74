internal import CCrypto

/// What libcrypto said when a call failed.
public struct CryptoError: Error, CustomStringConvertible {
  public let call: String
  public let message: String

  public var description: String { "\(call): \(message)" }

  static func last(_ call: String) -> CryptoError {
    var text = [CChar](repeating: 0, count: 256)
    ERR_error_string_n(ERR_get_error(), &text, text.count)
    return CryptoError(
      call: call, message: String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
  }

  static func check(_ code: Int32, _ call: String) throws(CryptoError) {
    guard code == 1 else { throw last(call) }
  }
}
