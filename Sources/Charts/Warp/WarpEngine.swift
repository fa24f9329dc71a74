/// What makes the pixels.
public enum WarpEngine: String, CaseIterable, Sendable {
  /// Our own: whole numbers, and the same pixels on every processor.
  case kernel
  /// GDAL's warper, as a second opinion.
  case gdal

  func warper(_ job: WarpJob) throws -> any Warper {
    switch self {
    case .kernel: try KernelWarper(job)
    case .gdal: try GDALWarper(job)
    }
  }
}
