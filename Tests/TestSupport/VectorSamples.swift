/// Vector tiles, encoded by hand.
public enum VectorSamples {
  /// A tile with one layer of one point with one attribute.
  public static func tile(
    layer name: String = "airspace", version: UInt8 = 2, tags: [UInt8] = [0, 0],
    geometry: [UInt8] = [9, 50, 34]
  ) -> [UInt8] {
    let feature = field(2, tags) + [0x18, 1] + field(4, geometry)
    let layer =
      [0x78, version] + field(1, Array(name.utf8)) + field(2, feature) + field(3, Array("class".utf8))
      + field(4, field(1, Array("B".utf8))) + [0x28, 0x80, 0x20]
    return field(3, layer)
  }

  /// A field of bytes; fewer than 128.
  public static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    [number << 3 | 2, UInt8(bytes.count)] + bytes
  }
}
