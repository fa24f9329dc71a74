public import Core

extension Product {
  /// The cut of a chart out of its sheet, with the measurements on the sheet.
  public struct Cut: Codable, Equatable, Sendable {
    public enum Source: String, Codable, Sendable {
      /// From the definition.
      case given
      /// Found on the sheet, since the definition has no neatline. It needs review.
      case auto
    }

    public var source: Source
    /// In the order of the outline.
    public var edges: [Edge]
    /// The insets that the build found or expected, without those that the definition masks; nil if there are none.
    public var insets: [Inset]?
  }
}

extension Product.Cut {
  /// One edge of the outline. Offsets are pixels of the sheet, outward from the edge in the definition.
  public struct Edge: Codable, Equatable, Sendable {
    /// `western edge`
    public var name: String
    /// The edge in the definition's notation: `{ meridian: -125 }`, `{ columnThrough: [-117.6, 38] }`.
    public var kind: String
    public var values: [Double]
    /// The measured end of the printed map; nil if unclear.
    public var offset: Double?
    /// The correction of the cut; less than the offset if the given edge is accurate enough.
    public var shift: Double
    public var evidence: Evidence
    /// The print 20 to 60 pixels inside the measured edge.
    public var inside: Shares
    /// The print at the same distance outside; nil beyond the image.
    public var outside: Shares?
    public var flags: [Flag]
    /// The definition's reason for an edge without evidence: `open water`.
    public var unmeasured: String?

    public init(
      name: String, edge: NeatlineDefinition.Edge, offset: Double?, shift: Double, evidence: Evidence,
      inside: Shares, outside: Shares?, flags: [Flag], unmeasured: String? = nil
    ) {
      self.name = name
      (kind, values) = edge.notation
      (self.offset, self.shift, self.evidence) = (offset, shift, evidence)
      (self.inside, self.outside) = (inside, outside)
      (self.flags, self.unmeasured) = (flags, unmeasured)
    }
  }

  /// The kind of evidence for the end of the map.
  public enum Evidence: String, Codable, Sendable {
    /// A printed line between map and collar.
    case frame
    /// The map's colours change to paper.
    case step
    /// The map runs to the rim of the image.
    case rim
    case unclear
  }

  /// Why an edge needs review.
  public enum Flag: String, Codable, Sendable {
    /// The cut contains collar.
    case collarLeft = "collar-left"
    /// The map continues beyond the cut.
    case mapCutOff = "map-cut-off"
    /// The printed edge is not at the place in the definition.
    case moved
    /// There is no evidence for the end of the map, and the definition gives no reason.
    case unclear
    /// Along a part of the edge the map ends elsewhere.
    case uneven
    /// The edge in the definition is slightly beyond the image; the cut follows the image's rim.
    case clamped
  }

  /// Shares of a strip of the sheet. Their sum is 1.
  public struct Shares: Codable, Equatable, Sendable {
    public var ink: Double
    public var paper: Double
    public var tint: Double
  }
}

extension Product.Cut {
  /// Warnings about places that need review; empty if there are none.
  public var doubts: [String] {
    let found =
      source == .auto
      ? [
        "its neatline was found automatically; compare the chart with its sheet, then write the found edges "
          + "into the definition"
      ] : []
    return found + edges.flatMap { edge in edge.doubtfulFlags.map { edge.doubt($0) } }
      + (insets ?? []).compactMap(\.doubt)
  }
}

extension Product.Cut.Edge {
  /// The flags, with `unclear` for an edge without evidence even if the description omits it.
  fileprivate var doubtfulFlags: [Product.Cut.Flag] {
    let isSilent = evidence == .unclear && unmeasured == nil && !flags.contains(.unclear)
    return flags + (isSilent ? [.unclear] : [])
  }

  fileprivate func doubt(_ flag: Product.Cut.Flag) -> String {
    switch flag {
    case .collarLeft:
      "within its \(name) most is paper, as in a collar; look at that edge of the sheet, and move it inward in "
        + "`neatline` if the legend shows"
    case .mapCutOff:
      "beyond its \(name) most has the map's colours; look at that edge of the sheet, and move it outward in "
        + "`neatline` if the map goes on"
    case .moved:
      "its \(name) is printed \(outward(offset ?? 0)) of where `neatline` has it, and the cut was moved \(outward(shift)); look "
        + "at it, and write down the new place"
    case .unclear:
      "its \(name) could not be measured: nothing within 220 pixels of it shows where the map ends; look at that edge of the "
        + "sheet, then correct it in `neatline`, or add the reason as `unmeasured: \"open water\"`"
    case .uneven:
      "along a part of its \(name) the map ends elsewhere; look at that edge of the sheet for a step or an inset, and "
        + "describe it in `neatline` as an `outline` or a mask"
    case .clamped:
      "its \(name) lies a little beyond the image, so that the cut follows the image's rim; correct it in `neatline`"
    }
  }

  private func outward(_ pixels: Double) -> String {
    "\(abs(pixels)) pixels \(pixels < 0 ? "inward" : "outward")"
  }
}

extension Product.Cut {
  /// A map of another place within the chart's map. The chart's georeference does not apply to it, so it must be masked.
  public struct Inset: Codable, Equatable, Sendable {
    public enum Verdict: String, Codable, Sendable {
      /// The evidence is clear, and the inset with its white band is cut out of the chart.
      case masked
      /// It looks like an inset, but the evidence is insufficient; it is not masked.
      case unclear
      /// The definition lists it, and the build did not find it.
      case missing
    }

    /// The name in the definition; nil if the definition does not list it.
    public var name: String?
    public var verdict: Verdict
    /// The first pixel column and the one after the last, white band included; nil for a missing inset.
    public var columns: [Int]?
    /// The first pixel row and the one after the last.
    public var rows: [Int]?
    /// The place on the chart, in degrees of the chart's graticule; for a missing inset, the expected place.
    public var box: GeoBox
    /// Nil for a missing inset.
    public var evidence: Evidence?
  }
}

extension Product.Cut.Inset {
  /// The border on one of its sides.
  public enum Side: String, Codable, Sendable {
    case band
    case neatline
  }

  /// The measurements of the print. Shares are rounded to hundredths.
  public struct Evidence: Codable, Equatable, Sendable {
    /// West, south, east and north.
    public var sides: [Side]
    /// The share of paper in the white band, along the side where it is smallest.
    public var paper: Double
    /// The share of the inset's area that has the colours of a map.
    public var tint: Double
    /// The share of its parts whose colour is not the most frequent one; a table or a note has a single colour.
    public var variety: Double
    /// Nil if no line of the chart's graticule that is visible beside the inset would cross it.
    public var graticule: Graticule?
  }

  /// The numbers of places along the chart's meridians and parallels, and of those where the line is printed.
  public struct Graticule: Codable, Equatable, Sendable {
    /// Places within the inset.
    public var inside: Int
    public var seenInside: Int
    /// Places on the same lines outside the inset.
    public var beside: Int
    public var seenBeside: Int
  }

  /// A warning about an inset that needs review; nil for a listed inset that was masked.
  var doubt: String? {
    let place = "\(box.west),\(box.south) to \(box.east),\(box.north)"
    switch (verdict, name) {
    case (.masked, .some): return nil
    case (.masked, nil):
      return
        "an inset that the definition does not list was found and masked at \(place); look at its picture in the "
        + "report, and add it to `insets`"
    case (.unclear, let name):
      return
        "\(name.map { "its inset \($0)" } ?? "what may be an inset") at \(place) is not masked, since the evidence is "
        + "unclear; look at its picture in the report, and add a mask to `neatline` if another place's map shows"
    case (.missing, let name):
      return
        "its inset \(name ?? "") was not found near \(place); look at its picture in the report, and correct `insets` "
        + "or add a mask to `neatline`"
    }
  }
}

extension Product {
  /// A coarse picture of the sheet from before the warp: the mean colour and the texture of each square cell. Validation
  /// compares the tiles with it.
  public struct Reference: Codable, Equatable, Sendable {
    /// The side of a cell in pixels of the sheet. The first cell begins at the sheet's first pixel.
    public var cell: Int
    public var columns: Int
    public var rows: Int
    /// Strips across the whole map without any print, although the map beside them is printed.
    public var blanks: [Blank]
    /// Rows that also occur earlier on the sheet; nil if there are none.
    public var repeats: [Blank]?
    /// The hash of the colours in the middle rows of the sheet; nil if the build did not read all of them.
    public var sheetSha256: SHA256Hex?
  }
}

extension Product.Reference {
  /// Rows or columns of the sheet, counted from 0, with a single colour across the whole map.
  public struct Blank: Codable, Equatable, Sendable {
    public enum Direction: String, Codable, Sendable {
      case row
      case column
    }

    public var direction: Direction
    public var first: Int
    public var last: Int
  }

  /// The error about repeated rows; nil if there are none.
  public var repetition: String? {
    repeats.map {
      "rows \(Product.Reference.places($0)) of its sheet repeat earlier rows, so the source has lost the print there; download it "
        + "again"
    }
  }

  /// One warning for all rows and one for all columns; empty if there are none.
  public var doubts: [String] {
    [Blank.Direction.row, .column].compactMap { direction in
      let blanks = blanks.filter { $0.direction == direction }
      guard let first = blanks.first else { return nil }
      let isOne = blanks.count == 1 && first.first == first.last
      return
        "\(direction.rawValue)\(isOne ? "" : "s") \(Product.Reference.places(blanks)) of its sheet \(isOne ? "has" : "have") a single "
        + "colour across the whole map, so the source has lost print there; look at that place, and mask it if a neighbouring "
        + "chart shows it"
    }
  }

  /// The maximum number of places in a warning. A damaged file may have hundreds.
  private static let mostNamed = 4

  private static func places(_ blanks: [Blank]) -> String {
    let named = blanks.prefix(mostNamed).map {
      $0.first == $0.last ? "\($0.first)" : "\($0.first) to \($0.last)"
    }
    let others = blanks.count - named.count
    let last = others > 0 ? "\(others) more" : named.last ?? ""
    let firsts = others > 0 ? named[...] : named.dropLast()
    return firsts.isEmpty ? last : firsts.joined(separator: ", ") + " and " + last
  }
}
