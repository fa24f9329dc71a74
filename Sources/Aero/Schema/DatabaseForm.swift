/// A kind of database file: its marks, its tables, and what is done when they are filled.
public struct DatabaseForm: Sendable {
  /// In the file's header.
  public let applicationID: Int
  /// Of the schema; the file's `user_version`.
  public let version: Int
  public let tables: [TableSchema]
  let finishing: [String]

  /// The forms of the databases that are made of the FAA's files.
  public static let databases = [DatabaseSchema.form, ObstacleSchema.form]
}
