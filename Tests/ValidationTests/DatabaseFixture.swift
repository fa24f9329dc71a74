import Foundation
import Pipeline
import SQLiteIO
import TestSupport
import Validation

@testable import Aero

/// A small app database in the shape that Aero gives it, in which everything is right.
struct DatabaseFixture {
  let folder: TemporaryFolder
  var file: URL { folder.file("aviation.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    let connection = try SQLiteConnection(file.path, mode: .create)
    try connection.execute(
      """
      PRAGMA application_id = \(DatabaseSchema.applicationID); PRAGMA user_version = \(DatabaseSchema.version)
      """)
    for table in DatabaseSchema.tables { try connection.execute(table.sql) }
    try connection.execute(DatabaseFixture.rows)
    for table in DatabaseSchema.tables { try DatabaseIndexes.make(over: table, on: connection) }
    try connection.close()
  }

  func alter(_ sql: String) throws {
    let connection = try SQLiteConnection(file.path, mode: .create)
    try connection.execute(sql)
    try connection.close()
  }

  func findings() throws -> [Finding] {
    try Validator().validate([file], progress: SilentProgress()).findings
  }

  /// Positions and numbers as the FAA publishes them, rounded.
  private static let rows = """
    INSERT INTO airports (id, icao, faaID, siteNumber, siteType, name, city, state, latitude, longitude, elevation,
      type, ctafFrequency, unicomFrequency, magneticVariation, patternAltitude, fuelTypes, hasBeaconLight, isTowered,
      longestRunway, effectiveDate)
    VALUES
      (1, 'KHAF', 'HAF', '01613.1', 'A', 'HALF MOON BAY', 'HALF MOON BAY', 'CA', 37.5134, -122.5011, 66.3,
        'airport', 122.8, 122.8, 14, 1000, '["100LL"]', 1, 0, 5000, '2026-11-26'),
      (2, 'KPAO', 'PAO', '02022.1', 'A', 'PALO ALTO', 'PALO ALTO', 'CA', 37.4611, -122.1150, 6.8,
        'airport', 118.6, 122.95, 14, 800, '["100LL"]', 1, 1, 2443, '2026-11-26'),
      (3, 'KSQL', 'SQL', '02230.1', 'A', 'SAN CARLOS', 'SAN CARLOS', 'CA', 37.5119, -122.2495, 5.4,
        'airport', 119, 122.95, 14, 800, '["100LL"]', 1, 1, 2621, '2026-11-26'),
      (4, 'CA35', 'CA35', '02179.1', 'A', 'SAN RAFAEL', 'SAN RAFAEL', 'CA', 38.0160, -122.5214, 5,
        'airport', NULL, NULL, 15, NULL, '[]', 0, 0, 2140, '2026-11-26');
    INSERT INTO runways (airport, id, length, width, lighting, baseEndID, baseEndLatitude, baseEndLongitude,
      baseEndTrueHeading, baseEndDisplacedThreshold, reciprocalEndID, reciprocalEndTrueHeading)
    VALUES
      ('KPAO', '13/31', 2443, 70, 'fullTime', '13', 37.4643, -122.1180, 142, 0, '31', 322),
      ('KHAF', '12/30', 5000, 150, 'fullTime', '12', NULL, NULL, 137, 0, '30', 317),
      ('CA35', '04/22', 2140, 30, 'none', '04', NULL, NULL, NULL, 0, '22', NULL),
      ('KSQL', '12/30', 2621, 75, 'fullTime', '12', 37.5145, -122.2526, 139, 0, '30', 319);
    INSERT INTO frequencies (airport, number, type, frequency, vhf, receiveOnly)
    VALUES
      ('KPAO', 1, 'ctaf', 118.6, 1, 0), ('KPAO', 2, 'approach', 288.3, 0, 0), ('KPAO', 3, 'tower', 118.6, 1, 0),
      ('KPAO', 4, 'unicom', 122.95, 1, 0), ('KSQL', 1, 'ctaf', 119, 1, 0), ('KSQL', 3, 'tower', 119, 1, 0),
      ('KSQL', 4, 'unicom', 122.95, 1, 0), ('KHAF', 1, 'ctaf', 122.8, 1, 0), ('KHAF', 3, 'unicom', 122.8, 1, 0);
    INSERT INTO navaids (id, identifier, name, type, latitude, longitude, elevation, frequency, isPublic)
    VALUES
      (1, 'OAK', 'OAKLAND', 'vortac', 37.7259, -122.2236, 9.6, 116.8, 1),
      (2, 'PIO', 'SAINT LOUIS', 'ndb', 38.5, -121.9, NULL, 353, 1);
    INSERT INTO metadata VALUES
      ('cycle', '2612'), ('effective', '2026-11-26T09:01:00Z'), ('expires', '2026-12-24T09:01:00Z'),
      ('edition', '2026-11-26'), ('edition_56_day', '2026-10-29'), ('expires_56_day', '2026-12-24T09:01:00Z'),
      ('schema_version', '\(DatabaseSchema.version)'), ('counts.airports', '4'), ('counts.runways', '4'),
      ('counts.frequencies', '9'), ('counts.navaids', '2');
    """
}
