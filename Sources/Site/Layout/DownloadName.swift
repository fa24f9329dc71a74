internal import Core
internal import Foundation

extension Product {
  /// The names under which clients save the product's files, by path: `San_Francisco.mbtiles`. The files have their hashes as names in
  /// the site.
  ///
  /// `downloadName` of the page (`Page/catalogue.js`) makes the same names.
  var downloadNames: [String: String] {
    let item = region ?? id.split(separator: "/").dropFirst().joined(separator: "-")
    var names: [String: String] = [:]
    for file in files {
      let ending = Product.ending(of: file)
      let isAlone = files.count { Product.ending(of: $0) == ending } == 1
      let name = isAlone ? item + ending : "\(item)-\(file.role.rawValue)\(ending)"
      names[file.path] = name
      if let gzip = file.gzip { names[gzip.path] = "\(name).gz" }
    }
    // The name becomes part of an HTTP header.
    return names.filter { $0.value.isPlainName }
  }

  /// `.mbtiles`
  private static func ending(of file: File) -> String { "." + URL(filePath: file.path).pathExtension }
}
