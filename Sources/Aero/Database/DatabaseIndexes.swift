/// The ways into the tables, made after the rows: in one go is cheaper than row by row.
///
/// Near a place (`airports`, `navaids`): the R-tree holds 32-bit numbers rounded outwards, so a box never misses
/// an airport; the exact position is in the table.
///
///     SELECT a.* FROM airports a INNER JOIN airports_rtree r ON a.rowid = r.id
///     WHERE r.minLat <= ? AND r.maxLat >= ? AND r.minLon <= ? AND r.maxLon >= ?
///
/// with the box's north, south, east and west.
///
/// By text (`airports`, `navaids`): `:match` is what was typed, each word in double quotes, the last one with a star
/// (`"palo" "alt"*`); `:typed` is what was typed in capitals. An exact identifier comes before everything else; the
/// rest is in the order of `rank`, in which an identifier weighs more than a name and a name more than a city.
///
///     SELECT a.* FROM airports_fts f INNER JOIN airports a ON a.id = f.rowid WHERE airports_fts MATCH :match
///     ORDER BY :typed IN (a.icao, a.faaID) DESC, f.rank, a.icao LIMIT 20
enum DatabaseIndexes {
  static let plain = """
    CREATE INDEX airports_faaID ON airports(faaID);
    CREATE INDEX navaids_identifier ON navaids(identifier);
    CREATE INDEX fixes_identifier ON fixes(identifier);
    """

  static let spatial = """
    CREATE VIRTUAL TABLE airports_rtree USING rtree(id, minLat, maxLat, minLon, maxLon);
    INSERT INTO airports_rtree SELECT id, latitude, latitude, longitude, longitude FROM airports ORDER BY id;
    CREATE VIRTUAL TABLE navaids_rtree USING rtree(id, minLat, maxLat, minLon, maxLon);
    INSERT INTO navaids_rtree SELECT id, latitude, latitude, longitude, longitude FROM navaids ORDER BY id;
    """

  /// The FAA identifier weighs more than the ICAO code, since `PAO` is also how Alaskan ICAO codes begin. The hash
  /// is large while the index is built, so that it is written once and leaves no free pages behind.
  static let text = """
    CREATE VIRTUAL TABLE airports_fts USING fts5(
      icao, faaID, name, city, content='airports', content_rowid='id', prefix='2 3', tokenize='unicode61');
    INSERT INTO airports_fts(airports_fts, rank) VALUES ('rank', 'bm25(10.0, 20.0, 4.0, 2.0)');
    INSERT INTO airports_fts(airports_fts, rank) VALUES ('hashsize', 67108864);
    INSERT INTO airports_fts(airports_fts) VALUES ('rebuild');
    INSERT INTO airports_fts(airports_fts, rank) VALUES ('hashsize', 1048576);
    CREATE VIRTUAL TABLE navaids_fts USING fts5(
      identifier, name, city, content='navaids', content_rowid='id', prefix='2 3', tokenize='unicode61');
    INSERT INTO navaids_fts(navaids_fts, rank) VALUES ('rank', 'bm25(20.0, 4.0, 2.0)');
    INSERT INTO navaids_fts(navaids_fts) VALUES ('rebuild');
    """
}
