internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline

/// The files beside the description, byte for byte.
struct ProductHash: ProductRule {
  let name = "product-hash"
  let protects = "What an app downloads is what was validated, whole and unchanged."

  func check(_ subject: ProductUnderTest) throws -> [Finding] {
    guard !subject.product.files.isEmpty else { return [error(subject.place, "it lists no file")] }
    return subject.product.files.compactMap { file in
      problem(with: file, of: subject).map { error(subject.place, $0) }
    }
  }

  private func problem(with file: Product.File, of subject: ProductUnderTest) -> String? {
    guard let url = subject.url(of: file) else { return "the file \(file.path) is not in its folder" }
    guard let size = try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int,
      let hash = try? SHA256Hex(ofFile: url)
    else { return "the file \(file.path) cannot be read" }
    guard size == file.bytes else {
      return "the file \(file.path) has \(Counts.grouped(size)) bytes, not \(Counts.grouped(file.bytes))"
    }
    return hash == file.sha256
      ? nil : "the file \(file.path) was changed: its SHA-256 is \(hash), not \(file.sha256)"
  }
}
