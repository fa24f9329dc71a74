internal import CGDAL

/// Warps pixels between two projections with GDAL.
public final class Reprojection {
  private let toSource: CoordinateTransform
  private let toTarget: CoordinateTransform

  public init(source: SpatialReference, target: SpatialReference) throws(GDALError) {
    toSource = try CoordinateTransform(from: target, to: source)
    toTarget = try CoordinateTransform(from: source, to: target)
  }

  /// Resamples by cubic convolution, widened where the target is coarser. Transparent where the source has no pixels.
  ///
  /// - Parameters:
  ///   - pixels: four bytes for each pixel: red, green, blue, alpha.
  ///   - isOpaque: whether all pixels are opaque, so that no alpha weights are needed.
  ///   - scale: target pixels for each source pixel, across and down. GDAL would estimate it from each window's shape: kernels of
  ///     different widths meet at visible seams.
  ///   - tolerance: of positions, in source pixels.
  public func warp(
    _ pixels: [UInt8], width: Int, height: Int, placing: GeoTransform, isOpaque: Bool,
    to goal: (width: Int, height: Int, placing: GeoTransform), scale: (x: Double, y: Double),
    tolerance: Double
  ) throws(GDALError) -> [UInt8] {
    GDAL.begin()
    var (source, target) = (pixels, [UInt8](repeating: 0, count: goal.width * goal.height * 4))
    let path = PixelPath(self, from: placing, to: goal.placing)
    let outcome: Result<Void, GDALError> = source.withUnsafeMutableBytes { source in
      target.withUnsafeMutableBytes { target in
        Result { () throws(GDALError) in
          try Reprojection.warp(
            RasterDataset.memory(over: source, width: width, height: height, bands: 4),
            to: RasterDataset.memory(over: target, width: goal.width, height: goal.height, bands: 4), path,
            isOpaque: isOpaque, scale: scale, tolerance: tolerance)
        }
      }
    }
    try outcome.get()
    if isOpaque { for alpha in stride(from: 3, to: target.count, by: 4) { target[alpha] = 255 } }
    return target
  }

  private static func warp(
    _ source: RasterDataset, to target: RasterDataset, _ path: PixelPath, isOpaque: Bool,
    scale: (x: Double, y: Double), tolerance: Double
  ) throws(GDALError) {
    try withExtendedLifetime(path) { () throws(GDALError) in
      let exact = Unmanaged.passUnretained(path).toOpaque()
      let near = try GDAL.check(
        GDALCreateApproxTransformer(followPath, exact, tolerance), "preparing the warp")
      defer { GDALDestroyApproxTransformer(near) }
      let options = try WarpOptions(
        from: source, to: target, isOpaque: isOpaque, scale: scale, transformer: near)
      let operation = try GDAL.check(GDALCreateWarpOperation(options.pointer), "preparing the warp")
      defer { GDALDestroyWarpOperation(operation) }
      let (width, height) = (Int32(target.width), Int32(target.height))
      try GDAL.check(GDALChunkAndWarpImage(operation, 0, 0, width, height), "warping")
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
    from source: RasterDataset, to target: RasterDataset, isOpaque: Bool, scale: (x: Double, y: Double),
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
    if !isOpaque {
      pointer.pointee.nSrcAlphaBand = 4
      pointer.pointee.nDstAlphaBand = 4
    }
    for (key, value) in [
      ("INIT_DEST", "0"), ("NUM_THREADS", "1"), ("XSCALE", "\(scale.x)"), ("YSCALE", "\(scale.y)"),
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
