import ArchiveIO
import Core
import Foundation
import RasterIO
import SyntheticSheet
import TestSupport
import Testing

/// The set that `make-samples` writes, from the rows of the repository.
func sampleSet() throws -> SampleSet {
  let day = try #require(CalendarDay(SheetDesign.sampleCycleDay))
  let cycle = try #require(AiracCycle(effective: day))
  return try SampleSet(samples: samplesFolder, cycle: cycle)
}

/// The members of a zip by name.
func members(of archive: ZipArchive) throws -> [String: [UInt8]] {
  try Dictionary(uniqueKeysWithValues: archive.members.map { ($0.name, try archive.read($0)) })
}

/// A chart's picture in the samples.
struct SamplePicture {
  let dataset: RasterDataset
  let pixels: [UInt8]
  private let file: MemoryFile

  init(zip path: String) throws {
    let archive = try ZipArchive(path: samplesFolder.appending(path: path).path)
    let tif = try #require(archive.members.first { $0.name.hasSuffix(".tif") })
    file = try MemoryFile(archive.read(tif), extension: "tif")
    dataset = try RasterDataset(opening: file.path)
    pixels = try dataset.readBytes(
      band: 1, window: PixelWindow(column: 0, row: 0, width: dataset.width, height: dataset.height))
  }

  func index(at pixel: PixelPoint) -> UInt8 { pixels[Int(pixel.y) * dataset.width + Int(pixel.x)] }
}
