extension Product {
  /// How a chart was cut out of its sheet, and what the sheet itself says of that.
  public struct Cut: Codable, Equatable, Sendable {
    public enum Source: String, Codable, Sendable {
      /// From the definition.
      case given
      /// Found on the sheet, as the definition has no neatline: a person should look at it.
      case auto
    }

    public var source: Source
    /// In the outline's order.
    public var edges: [Edge]
    /// The insets that the build found or expected, besides those that the definition masks itself; nil without any.
    public var insets: [Inset]?

    public init(source: Source, edges: [Edge], insets: [Inset]? = nil) {
      self.source = source
      self.edges = edges
      self.insets = insets
    }
  }
}

extension Product.Cut {
  /// One edge of the outline. Offsets are pixels of the sheet, outward from where the edge was said to be.
  public struct Edge: Codable, Equatable, Sendable {
    /// `western edge`
    public var name: String
    /// The edge in the definition's notation: `{ meridian: -125 }`, `{ columnThrough: [-117.6, 38] }`.
    public var kind: String
    public var values: [Double]
    /// Where the printed map ends; nil when that is unclear.
    public var offset: Double?
    /// By how much the cut was moved; less than the offset where the given edge is good enough.
    public var shift: Double
    public var evidence: Evidence
    /// What is printed 20 to 60 pixels within the edge that was found.
    public var inside: Shares
    /// What is printed as far beyond it; nil where the image has ended.
    public var outside: Shares?
    public var flags: [Flag]
    /// Why the definition expects no evidence of this edge: `open water`.
    public var unmeasured: String?

    public init(
      name: String, edge: NeatlineDefinition.Edge, offset: Double?, shift: Double, evidence: Evidence,
      inside: Shares, outside: Shares?, flags: [Flag], unmeasured: String? = nil
    ) {
      self.name = name
      (kind, values) = edge.notation
      self.offset = offset
      self.shift = shift
      self.evidence = evidence
      self.inside = inside
      self.outside = outside
      self.flags = flags
      self.unmeasured = unmeasured
    }
  }

  /// What shows where the map ends.
  public enum Evidence: String, Codable, Sendable {
    /// A printed line between map and collar.
    case frame
    /// The map's colours give way to paper.
    case step
    /// The map runs to the rim of the image.
    case rim
    case unclear
  }

  /// Why a person should look at an edge.
  public enum Flag: String, Codable, Sendable {
    /// There is collar within the cut.
    case collarLeft = "collar-left"
    /// The map goes on beyond the cut.
    case mapCutOff = "map-cut-off"
    /// The printed edge is not where the definition has it.
    case moved
    /// Nothing shows where the map ends, and the definition gives no reason for that.
    case unclear
    /// Along a part of the edge the map ends elsewhere.
    case uneven
    /// The definition has the edge a little beyond the image; the cut follows the image's rim.
    case clamped
  }

  /// Shares of a strip of the sheet, which make up one.
  public struct Shares: Codable, Equatable, Sendable {
    public var ink: Double
    public var paper: Double
    public var tint: Double

    public init(ink: Double, paper: Double, tint: Double) {
      self.ink = ink
      self.paper = paper
      self.tint = tint
    }
  }
}

extension Product.Cut {
  /// What a person should look at, in words; empty where all is well.
  public var doubts: [String] {
    let found =
      source == .auto
      ? [
        "its neatline was looked for and not given; hold the chart against its sheet, then write the edges that "
          + "were found into the definition"
      ] : []
    return found + edges.flatMap { edge in edge.doubtfulFlags.map { edge.doubt($0) } }
      + (insets ?? []).compactMap(\.doubt)
  }
}

extension Product.Cut.Edge {
  /// An edge without evidence is doubtful even if a description omits the flag.
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
