public import Core

extension Product.Cut {
  /// A map of another place that is printed within the chart's own map. Its georeference is wrong, so it must not be shown
  /// as the ground there.
  public struct Inset: Codable, Equatable, Sendable {
    public enum Verdict: String, Codable, Sendable {
      /// The evidence is clear, and the inset with its white band is cut out of the chart.
      case masked
      /// It looks like an inset, but the evidence does not suffice; it is still shown.
      case unclear
      /// The definition lists it, and the build did not find it.
      case missing
    }

    /// The definition's name for it; nil for one that the definition does not list.
    public var name: String?
    public var verdict: Verdict
    /// The first pixel column and the one after the last, white band included; nil for a missing inset.
    public var columns: [Int]?
    /// The first pixel row and the one after the last.
    public var rows: [Int]?
    /// Where it lies on the chart, in degrees of the chart's own graticule; for a missing one, where it was expected.
    public var box: GeoBox
    /// Nil for a missing inset.
    public var evidence: Evidence?

    public init(
      name: String?, verdict: Verdict, columns: [Int]?, rows: [Int]?, box: GeoBox, evidence: Evidence?
    ) {
      self.name = name
      self.verdict = verdict
      self.columns = columns
      self.rows = rows
      self.box = box
      self.evidence = evidence
    }
  }
}

extension Product.Cut.Inset {
  /// What borders one of its sides.
  public enum Side: String, Codable, Sendable {
    case band
    case neatline
  }

  /// What the print shows. Shares are rounded to hundredths.
  public struct Evidence: Codable, Equatable, Sendable {
    /// West, south, east and north.
    public var sides: [Side]
    /// The share of paper in the white band, along the side where it is smallest.
    public var paper: Double
    /// The share of the inset's area that has the colours of a map.
    public var tint: Double
    /// The share of its parts whose colour is not the commonest one; a table or a note has one colour.
    public var variety: Double
    /// Nil where no line of the chart's graticule that is visible beside the inset would run through it.
    public var graticule: Graticule?

    public init(sides: [Side], paper: Double, tint: Double, variety: Double, graticule: Graticule?) {
      self.sides = sides
      self.paper = paper
      self.tint = tint
      self.variety = variety
      self.graticule = graticule
    }
  }

  /// At how many places along the chart's own meridians and parallels their lines are printed.
  public struct Graticule: Codable, Equatable, Sendable {
    /// Places within the inset.
    public var inside: Int
    public var seenInside: Int
    /// Places on the same lines, outside of the inset.
    public var beside: Int
    public var seenBeside: Int

    public init(inside: Int, seenInside: Int, beside: Int, seenBeside: Int) {
      self.inside = inside
      self.seenInside = seenInside
      self.beside = beside
      self.seenBeside = seenBeside
    }
  }

  /// What a person should look at, in words; nil for a listed inset that was masked.
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
