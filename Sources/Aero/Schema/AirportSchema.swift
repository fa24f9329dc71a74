/// The airports and what belongs to them.
enum AirportSchema {
  static let airports = SourceTable.airports.schema

  static let runways = TableSchema(
    "runways", "Runways, water lanes and helipads.",
    (RunwayFields.own + RunwayFields.end("baseEnd") + RunwayFields.reciprocal
      + RunwayFields.end("reciprocalEnd")).map(\.column),
    constraints: ["PRIMARY KEY (airport, id)"], isKeyed: true)

  static let frequencies = TableSchema(
    "frequencies",
    "Radio frequencies of airports; a frequency of two uses has two rows.",
    [
      .init("airport", "TEXT NOT NULL REFERENCES airports(icao)"),
      .init(
        "number", "INTEGER NOT NULL",
        "Counts an airport's rows from 1: the common frequency first, then the tower ..."),
      .init(
        "type", "TEXT NOT NULL",
        "ctaf, tower, ground, clearance, approach, departure, atis, unicom, multicom or other."),
      .init("frequency", "REAL NOT NULL", "MHz, military UHF and oceanic HF too."),
      .init("name", "TEXT", "The call, such as NORCAL; else the name of the facility."),
      .init("remark", "TEXT"),
      .init("use", "TEXT", "The FAA's own words: LCL/P, APCH/P DEP/P IC, CLASS C ..."),
      .init("vhf", "INTEGER NOT NULL", "1 within 118 to 137 MHz, which civil radios receive."),
      .init("receiveOnly", "INTEGER NOT NULL", "1 where the station listens on it and does not transmit."),
      .init("channel", "TEXT", "The TACAN channel paired with it: 35X."),
      .init("sector", "TEXT", "For which runways or directions, in the FAA's words."),
      .init("hours", "TEXT", "The tower's hours, in the FAA's words."),
    ],
    constraints: ["PRIMARY KEY (airport, number)"], isKeyed: true)
}
