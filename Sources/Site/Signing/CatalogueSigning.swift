internal import CryptoIO
internal import Foundation

extension SigningKey {
  /// Where the signature of a catalogue lies that fits it at every instant: under the hash of its bytes.
  static func path(of catalogue: Data) throws -> String {
    PublishedCatalogue.signature(of: try SHA256Hex(of: Array(catalogue)))
  }

  /// A catalogue's signature, as a file of it; the same for the same bytes.
  func signature(of catalogue: Catalog, _ data: Data) throws -> Data {
    let comment = "Chartpipe catalogue, serial \(catalogue.serial)"
    return Data(try signature(of: Array(data), comment: comment).text.utf8)
  }
}
