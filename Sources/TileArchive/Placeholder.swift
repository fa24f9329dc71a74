// TileArchive
