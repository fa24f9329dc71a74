// Apps use the members of these types without an import of `Core`.
@_exported public import struct Core.FileReference
@_exported public import struct Core.FileRole
@_exported public import struct Core.GeoBox
@_exported public import struct Core.GeoPoint
@_exported public import struct Core.ProductFile
@_exported public import struct Core.ProductKind
@_exported public import struct Core.PublicKey
@_exported public import struct Core.SHA256Hex
@_exported public import struct Core.Signature
@_exported public import struct Core.TileID

/// Degrees, south and west negative.
public typealias BoundingBox = GeoBox

/// A position in degrees, south and west negative.
public typealias Coordinate = GeoPoint

/// A tile of the Web Mercator pyramid. Rows count from the north, as in a tile's URL.
public typealias MapTile = TileID
