internal import Core

/// The airports and what belongs to them.
enum AirportSchema {
  static let airports = SourceTable.airports.schema

  static let runways = TableSchema(
    "runways", "Runways, water lanes and helipads.",
    (RunwayFields.own + RunwayFields.end("baseEnd") + RunwayFields.reciprocal
      + RunwayFields.end("reciprocalEnd")).map(\.column),
    source: Runway.table, constraints: ["PRIMARY KEY (airport, id)"], isKeyed: true)

  static let frequencies = TableSchema(
    "frequencies",
    "Radio frequencies of airports; a frequency of two uses has two rows.",
    [
      .init(
        "airport", "TEXT NOT NULL REFERENCES airports(icao)",
        from: "SERVICED_FACILITY, SERVICED_SITE_TYPE, SERVICED_STATE"),
      .init(
        "number", "INTEGER NOT NULL",
        "Counts an airport's rows from 1: the common frequency first, then the tower ..."),
      .init(
        "type", "TEXT NOT NULL",
        "ctaf, tower, ground, clearance, atis, awos, approach, departure, unicom, multicom, emergency or other.",
        from: "FREQ_USE, SERVICED_SITE_TYPE", words: Set(FrequencyType.allCases.map(\.rawValue))),
      .init("frequency", "REAL NOT NULL", "MHz, military UHF and oceanic HF too.", from: "FREQ"),
      .init(
        "name", "TEXT", "The call, such as NORCAL; else the name of the facility.",
        from: "TOWER_OR_COMM_CALL, PRIMARY_APPROACH_RADIO_CALL, FAC_NAME"),
      .init("remark", "TEXT", from: "REMARK"),
      .init("use", "TEXT", "The FAA's own words: LCL/P, APCH/P DEP/P IC, CLASS C ...", from: "FREQ_USE"),
      .init("vhf", "INTEGER NOT NULL", "1 within 118 to 137 MHz, which civil radios receive.", from: "FREQ"),
      .init(
        "receiveOnly", "INTEGER NOT NULL", "1 where the station listens on it and does not transmit.",
        from: "FREQ"),
      .init("channel", "TEXT", "The TACAN channel paired with it: 35X.", from: "FREQ"),
      .init("sector", "TEXT", "For which runways or directions, in the FAA's words.", from: "SECTORIZATION"),
      .init("hours", "TEXT", "The tower's hours, in the FAA's words.", from: "TOWER_HRS"),
    ],
    source: Frequency.table, constraints: ["PRIMARY KEY (airport, number)"], isKeyed: true)
}
