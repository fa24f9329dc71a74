internal import CGDAL

/// Warps pixels between two projections with GDAL.
public final class Reprojection {
  private let toSource: CoordinateTransform
  private let toTarget: CoordinateTransform

  public init(source: SpatialReference, target: SpatialReference) throws(GDALError) {
    toSource = try CoordinateTransform(from: target, to: source)
    toTarget = try CoordinateTransform(from: source, to: target)
  }

  /// The input of one warp.
  public struct Job {
    /// Four bytes for each pixel: red, green, blue, alpha.
    public var pixels: [UInt8]
    public var width: Int
    public var height: Int
    public var placing: GeoTransform
    /// Whether all pixels are opaque, so that no alpha weights are needed.
    public var isOpaque: Bool
    public var targetWidth: Int
    public var targetHeight: Int
    public var targetPlacing: GeoTransform
    /// Target pixels for each source pixel, across and down. GDAL would estimate it from each window's shape: kernels of
    /// different widths meet at visible seams.
    public var scale: (x: Double, y: Double)
    /// The tolerance of positions, in source pixels.
    public var tolerance: Double

    public init(
      pixels: [UInt8], width: Int, height: Int, placing: GeoTransform, isOpaque: Bool, targetWidth: Int,
      targetHeight: Int, targetPlacing: GeoTransform, scale: (x: Double, y: Double), tolerance: Double
    ) {
      (self.pixels, self.width, self.height, self.placing) = (pixels, width, height, placing)
      (self.isOpaque, self.targetWidth, self.targetHeight) = (isOpaque, targetWidth, targetHeight)
      (self.targetPlacing, self.scale, self.tolerance) = (targetPlacing, scale, tolerance)
    }
  }

  /// Resamples by cubic convolution, widened where the target is coarser. Transparent where the source has no pixels.
  public func warp(_ job: Job) throws(GDALError) -> [UInt8] {
    GDAL.begin()
    var (source, target) = (job.pixels, [UInt8](repeating: 0, count: job.targetWidth * job.targetHeight * 4))
    let outcome: Result<Void, GDALError> = source.withUnsafeMutableBytes { source in
      target.withUnsafeMutableBytes { target in
        Result { () throws(GDALError) in try warp(job, from: source, to: target) }
      }
    }
    try outcome.get()
    return target
  }

  private func warp(
    _ job: Job, from source: UnsafeMutableRawBufferPointer, to target: UnsafeMutableRawBufferPointer
  ) throws(GDALError) {
    let from = try RasterDataset.memory(over: source, width: job.width, height: job.height, bands: 4)
    let to = try RasterDataset.memory(
      over: target, width: job.targetWidth, height: job.targetHeight, bands: 4)
    let path = PixelPath(self, from: job.placing, to: job.targetPlacing)
    try withExtendedLifetime(path) { () throws(GDALError) in
      let exact = Unmanaged.passUnretained(path).toOpaque()
      let near = try GDAL.check(
        GDALCreateApproxTransformer(followPath, exact, job.tolerance), "preparing the warp")
      defer { GDALDestroyApproxTransformer(near) }
      let options = try WarpOptions(job, from: from, to: to, transformer: near)
      let operation = try GDAL.check(GDALCreateWarpOperation(options.pointer), "preparing the warp")
      defer { GDALDestroyWarpOperation(operation) }
      try GDAL.check(
        GDALChunkAndWarpImage(operation, 0, 0, Int32(job.targetWidth), Int32(job.targetHeight)), "warping")
      if job.isOpaque {
        for alpha in stride(from: 3, to: target.count, by: 4) { target[alpha] = 255 }
      }
    }
  }

  /// The projections with the georeferences of one job, for GDAL's callback.
  fileprivate final class PixelPath {
    let reprojection: Reprojection
    let source: GeoTransform
    let target: GeoTransform

    init(_ reprojection: Reprojection, from source: GeoTransform, to target: GeoTransform) {
      (self.reprojection, self.source, self.target) = (reprojection, source, target)
    }

    func follow(
      toSource: Bool, count: Int32, x: UnsafeMutablePointer<Double>, y: UnsafeMutablePointer<Double>,
      success: UnsafeMutablePointer<Int32>
    ) {
      let (start, end) = toSource ? (target, source) : (source, target)
      for index in 0..<Int(count) {
        (x[index], y[index]) = start.projected(column: x[index], row: y[index])
      }
      let transform = toSource ? reprojection.toSource : reprojection.toTarget
      transform.apply(count: count, x: x, y: y, success: success)
      for index in 0..<Int(count) {
        (x[index], y[index]) = end.pixel(x: x[index], y: y[index])
      }
    }
  }
}

@available(*, unavailable)
extension Reprojection: Sendable {}

/// GDAL's callback for a `PixelPath`.
private let followPath: GDALTransformerFunc = { context, toSource, count, x, y, _, success in
  guard let context, let x, let y, let success else { return 0 }
  Unmanaged<Reprojection.PixelPath>.fromOpaque(context).takeUnretainedValue()
    .follow(toSource: toSource != 0, count: count, x: x, y: y, success: success)
  return 1
}

/// GDAL's options of one warp, freed with this object.
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
    // Large enough for a whole job. Otherwise GDAL splits it into pieces by its estimate of the memory.
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

  /// Red, green, blue. GDAL frees the list with the options.
  private static func colorBands() -> UnsafeMutablePointer<Int32>? {
    let size = 3 * MemoryLayout<Int32>.stride
    guard let bands = CPLMalloc(size)?.bindMemory(to: Int32.self, capacity: 3) else { return nil }
    for band in 0..<3 { bands[band] = Int32(band + 1) }
    return bands
  }
}
