public import Foundation

/// The relative paths of all files below a folder, hidden ones too, sorted.
public func files(below folder: URL) throws -> [String] {
  let root = folder.resolvingSymlinksInPath().path + "/"
  let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
  var found: [String] = []
  while let url = walk?.nextObject() as? URL {
    guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { continue }
    found.append(url.resolvingSymlinksInPath().path.replacing(root, with: ""))
  }
  return found.sorted()
}
