/// A synthetic chart: real in form, wholly made up in content.
public struct SheetDesign: Sendable {
  public var title: String
}
