/// One airspace between one floor and one ceiling.
struct AirspaceRecord {
  enum Kind: String {
    case classAirspace = "class"
    case specialUse
  }

  var kind: Kind
  var classification: String
  var type: String
  var designator: String?
  var name: String
  var sector: String?
  var city: String?
  var state: String?
  var floor: AltitudeLimit?
  var ceiling: AltitudeLimit?
  /// What the floor or ceiling must keep from the ground besides.
  var minimum: AltitudeLimit?
  var maximum: AltitudeLimit?
  /// Bands that are cut out of it, from a datum that cannot be compared with its own.
  var excluded: String?
  var agency: String?
  var usingAgency: String?
  var hours: String?
  var activity: String?
  var remark: String?
  /// Whether a part of it could not be had.
  var isComplete = true
  var shape: MapShape
}
