import Core
import CryptoIO
import Foundation

@testable import ChartpipeKit

/// Damages the images of an archive and updates its description, so only the images show the damage.
func breakTiles(of archive: URL, describedBy description: URL) throws {
  var bytes = try Data(contentsOf: archive)
  let signature = Data([0x89, 0x50, 0x4e, 0x47])
  while let found = bytes.range(of: signature) { bytes.replaceSubrange(found, with: [0, 0, 0, 0]) }
  try bytes.write(to: archive)
  try edit(description) { $0.files[0].sha256 = try SHA256Hex(ofFile: archive) }
}
