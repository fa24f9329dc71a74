/// The name and version that go into every product; a new version builds everything anew.
public enum ToolVersion {
  public static let tool = "chartpipe"
  public static let version = "0.3.0"
}
