internal import CPixels
internal import Core
internal import ImageIO
internal import RasterIO

/// Warps a chart to Web Mercator with our own kernel: integer cubic convolution, from palette indexes or colours to colours in one
/// pass. One worker uses it at a time.
final class KernelWarper {
  private let job: WarpJob
  private let positions: SheetPositions
  private let instructions: Instructions
  /// For each index, its colour in the form that the kernel reads.
  private let colors: [Int16]
  private var kernels: [KernelScale: Kernel] = [:]
  /// A block that is reached by several turns; see `SheetForm`.
  private var turned = RGBAImage(width: TileID.blockSide, height: TileID.blockSide)
  /// The window's expanded pixels, four numbers each. Kept, since the next window has about the same size.
  private var scratch: [Int16] = []

  /// The weights along the columns and the rows of the sheet, as many for both.
  private typealias Kernel = (across: KernelWeights, down: KernelWeights)

  /// Which of the processor's instructions are used. All give the same bytes.
  enum Instructions: UInt32, CaseIterable {
    case plain = 0
    case baseline = 1
    case fastest = 2
  }

  init(_ job: WarpJob, instructions: Instructions = .fastest) throws {
    self.job = job
    self.instructions = instructions
    positions = try SheetPositions(job.sheet)
    colors = job.sheet.colors.map(\.channels).flatMap { channels in
      let alpha = Int(channels[3])
      return channels.prefix(3).map { Int16((Int($0) * alpha + 127) / 255) } + [Int16(alpha)]
    }
  }

  /// Writes a block's colours to its position in a picture: opaque inside the neatline, transparent outside (0 in all four
  /// bytes). Returns false, and may write nothing, if all of the block is outside.
  func warp(
    _ block: TileID, from rows: SheetRows, to picture: inout RGBAImage, column: Int, row: Int
  ) throws -> Bool {
    precondition(column + TileID.blockSide <= picture.width && row + TileID.blockSide <= picture.height)
    let turns = job.sheet.form.turns
    var isVisible = try warp(block, turn: turns[0], from: rows, to: &picture, column: column, row: row)
    for turn in turns.dropFirst() {
      if !isVisible {
        isVisible = try warp(block, turn: turn, from: rows, to: &picture, column: column, row: row)
      } else if try warp(block, turn: turn, from: rows, to: &turned, column: 0, row: 0) {
        picture.keepMoreVisible(of: turned, column: column, row: row)
      }
    }
    return isVisible
  }

  private func warp(
    _ block: TileID, turn: Int, from rows: SheetRows, to picture: inout RGBAImage, column: Int, row: Int
  ) throws -> Bool {
    let scale = job.scales[block.row]
    guard let lattice = BlockLattice(block, positions, scale: scale.largest, turn: turn) else { return false }
    let kernel = kernel(scale)
    let window = lattice.window(taps: kernel.across.taps)
    guard let (part, mask) = try job.map(in: window) else { return false }
    try expand(part, of: window, rows, mask: mask)
    let corners = lattice.firstTaps(in: window, taps: kernel.across.taps)
    return resample(window, corners, lattice, kernel, to: &picture, at: (row * picture.width + column) * 4)
  }

  private func kernel(_ scale: KernelScale) -> Kernel {
    if let known = kernels[scale] { return known }
    let across = KernelWeights(scale: scale.across, taps: KernelWeights.taps(scale: scale.largest))
    let isSame = scale.down == scale.across
    let kernel = (across, isSame ? across : KernelWeights(scale: scale.down, taps: across.taps))
    kernels[scale] = kernel
    return kernel
  }

  /// Fills the scratch with the window. Pixels outside the given part are transparent.
  private func expand(_ part: PixelWindow, of window: PixelWindow, _ rows: SheetRows, mask: [UInt8]?) throws {
    try rows.check(for: part)
    let size = window.width * window.height * 4
    if scratch.count < size { scratch = [Int16](repeating: 0, count: size) }
    let source = (part.row - rows.range.lowerBound) * rows.width + part.column
    let target = ((part.row - window.row) * window.width + part.column - window.column) * 4
    scratch.withUnsafeMutableBufferPointer { scratch in
      if part != window { scratch.prefix(size).update(repeating: 0) }
      rows.bytes.withUnsafeBufferPointer { pixels in
        guard let from = pixels.baseAddress, let to = scratch.baseAddress else { return }
        if rows.colors.isEmpty {
          chartpipe_expand(
            from + source, rows.width, mask, part.width, colors, to + target, window.width, part.width,
            part.height)
        } else {
          chartpipe_expand_colors(
            from + 4 * source, rows.width, mask, part.width, to + target, window.width, part.width,
            part.height)
        }
      }
    }
  }

  private func resample(
    _ window: PixelWindow, _ corners: [Int32], _ lattice: BlockLattice, _ kernel: Kernel,
    to picture: inout RGBAImage, at offset: Int
  ) -> Bool {
    let stride = picture.width * 4
    return scratch.withUnsafeBufferPointer { scratch in
      kernel.across.values.withUnsafeBufferPointer { across in
        kernel.down.values.withUnsafeBufferPointer { down in
          corners.withUnsafeBufferPointer { corners in
            picture.pixels.withUnsafeMutableBufferPointer { pixels in
              guard let target = pixels.baseAddress else { return false }
              var warp = chartpipe_warp(
                window: scratch.baseAddress, width: Int32(window.width), height: Int32(window.height),
                weights_across: across.baseAddress, weights_down: down.baseAddress,
                taps: Int32(kernel.across.taps),
                corners: corners.baseAddress, cells: Int32(lattice.cells), cell_bits: Int32(lattice.cellBits))
              return chartpipe_warp(
                &warp, chartpipe_level(instructions.rawValue), target + offset, stride) != 0
            }
          }
        }
      }
    }
  }
}

/// The weights of cubic convolution (a = -1/2) for each of 256 positions between two pixels.
struct KernelWeights: Sendable {
  static let phases = 256
  static let one = 1 << 14

  /// An even number.
  let taps: Int
  /// By phase. The weights of each phase add up to `one` exactly, so that an even colour does not change.
  let values: [Int16]

  /// The least number of taps for a scale.
  static func taps(scale: Int) -> Int {
    2 * Int((2 * Double(scale) / Double(RowScales.unit)).rounded(.up))
  }

  /// - Parameters:
  ///   - scale: in `RowScales.unit`s; the kernel is widened by this factor.
  ///   - taps: nil for the least number. Further taps have no weight.
  init(scale: Int, taps wanted: Int? = nil) {
    let width = Double(scale) / Double(RowScales.unit)
    let taps = wanted ?? KernelWeights.taps(scale: scale)
    self.taps = taps
    values = (0..<KernelWeights.phases).flatMap { phase in
      let place = Double(phase) / Double(KernelWeights.phases)
      return KernelWeights.rounded(
        (0..<taps).map { KernelWeights.cubic((Double($0 - (taps / 2 - 1)) - place) / width) })
    }
  }

  private static func cubic(_ distance: Double) -> Double {
    let x = abs(distance)
    if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
    return x < 2 ? ((2.5 - 0.5 * x) * x - 4) * x + 2 : 0
  }

  /// Rounds the weights. The remainder goes to the largest weight, which it changes least.
  private static func rounded(_ weights: [Double]) -> [Int16] {
    let sum = weights.reduce(0, +)
    var whole = weights.map { Int(($0 / sum * Double(one)).rounded()) }
    if let largest = whole.indices.max(by: { whole[$0] < whole[$1] }) {
      whole[largest] += one - whole.reduce(0, +)
    }
    return whole.map { Int16(clamping: $0) }
  }
}
