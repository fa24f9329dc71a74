internal import CGDAL

/// GDAL's option block for one warp, freed with this object.
final class WarpOptions {
  let pointer: UnsafeMutablePointer<GDALWarpOptions>

  /// The transformer must outlive the options.
  init(
    _ job: Reprojection.Job, from source: RasterDataset, to target: RasterDataset,
    transformer: UnsafeMutableRawPointer
  ) throws(GDALError) {
    pointer = try GDAL.check(GDALCreateWarpOptions(), "preparing the warp")
    pointer.pointee.hSrcDS = source.handle
    pointer.pointee.hDstDS = target.handle
    pointer.pointee.eResampleAlg = GRA_Cubic
    pointer.pointee.pfnTransformer = GDALApproxTransform
    pointer.pointee.pTransformerArg = transformer
    // Large enough for a whole job: GDAL would else cut it into pieces by the memory it thinks they need.
    pointer.pointee.dfWarpMemoryLimit = 512 * 1024 * 1024
    pointer.pointee.nBandCount = 3
    pointer.pointee.panSrcBands = WarpOptions.colorBands()
    pointer.pointee.panDstBands = WarpOptions.colorBands()
    if !job.isOpaque {
      pointer.pointee.nSrcAlphaBand = 4
      pointer.pointee.nDstAlphaBand = 4
    }
    for (key, value) in [
      ("INIT_DEST", "0"), ("NUM_THREADS", "1"), ("XSCALE", "\(job.scale.x)"), ("YSCALE", "\(job.scale.y)"),
    ] {
      pointer.pointee.papszWarpOptions = CSLSetNameValue(pointer.pointee.papszWarpOptions, key, value)
    }
  }

  deinit { GDALDestroyWarpOptions(pointer) }

  /// Red, green, blue; GDAL frees the list with the options.
  private static func colorBands() -> UnsafeMutablePointer<Int32>? {
    let size = 3 * MemoryLayout<Int32>.stride
    guard let bands = CPLMalloc(size)?.bindMemory(to: Int32.self, capacity: 3) else { return nil }
    for band in 0..<3 { bands[band] = Int32(band + 1) }
    return bands
  }
}
