internal import CGDAL

extension RasterDataset {
  /// A raster over bytes that somebody else owns, its bands interleaved by pixel. It must not outlive them.
  static func memory(
    over bytes: UnsafeMutableRawBufferPointer, width: Int, height: Int, bands: Int
  ) throws(GDALError) -> RasterDataset {
    precondition(bytes.count == width * height * bands)
    let dataset = try create("", driver: "MEM", width: width, height: height, bands: 0)
    for band in 0..<bands {
      let address = UInt(bitPattern: bytes.baseAddress) + UInt(band)
      let options = [
        "DATAPOINTER=0x\(String(address, radix: 16))", "PIXELOFFSET=\(bands)",
        "LINEOFFSET=\(width * bands)",
      ]
      let code = withStringList(options) { GDALAddBand(dataset.handle, GDT_Byte, $0) }
      try GDAL.check(code, "making a raster in memory")
    }
    return dataset
  }
}
