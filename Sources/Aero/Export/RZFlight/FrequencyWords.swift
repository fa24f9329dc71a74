/// The word before a frequency of OurAirports, whose types are free text in many languages and spellings.
enum FrequencyWords {
  /// Nil for a type that is not in the table.
  static func plain(_ type: String) -> String? { book[type.uppercased()] }

  /// The words are those of the FAA's frequencies where it has the same service.
  /// docs/FORMATS.md lists it.
  static let book: CodeBook = [
    "TWR": "TOWER", "TOWER": "TOWER", "TWR ALTN": "TOWER", "GND": "GROUND", "GROUND": "GROUND",
    "SMC": "GROUND", "APP": "APPROACH", "APPROACH": "APPROACH", "APP/RAD": "APPROACH", "RAD/APP": "APPROACH",
    "DEP": "DEPARTURE", "DEPARTURE": "DEPARTURE", "APP/DEP": "APPROACH/DEPARTURE",
    "A/D": "APPROACH/DEPARTURE", "ARR": "ARRIVAL", "ARRIVAL": "ARRIVAL", "DIR": "DIRECTOR",
    "DIRECTOR": "DIRECTOR", "RDR": "RADAR", "RADAR": "RADAR", "RAD": "RADAR", "GCA": "GCA",
    "TWR/APP/DEP": "TOWER/APPROACH/DEPARTURE", "APP/TWR": "TOWER/APPROACH", "ATIS": "ATIS", "AWOS": "AWOS",
    "AWIS": "AWOS", "AWIB": "AWOS", "VOLMET": "VOLMET", "AFIS": "AFIS", "TWR/AFIS": "TOWER/AFIS",
    "INFO": "INFORMATION", "INFORMATION": "INFORMATION", "INF": "INFORMATION", "FIS": "FIS", "FIC": "FIS",
    "A/G": "RADIO", "RADIO": "RADIO", "RDO": "RADIO", "A/A": "AIR TO AIR", "CTAF": "CTAF", "MF": "MF",
    "ATF": "ATF", "UNIC": "UNICOM", "UNICOM": "UNICOM", "UC": "UNICOM", "MULTICOM": "MULTICOM",
    "SAFETYCOM": "SAFETYCOM", "SAFETY COM": "SAFETYCOM", "SAFETY COMM": "SAFETYCOM", "TIBA": "TIBA",
    "CLD": "CLEARANCE", "DEL": "CLEARANCE", "DELIVERY": "CLEARANCE", "CLNC DEL": "CLEARANCE",
    "GCCD": "GROUND/CLEARANCE", "ACC": "CENTER", "CNTR": "CENTER", "CENTER": "CENTER", "CENTRE": "CENTER",
    "ARTC": "CENTER", "AREA CONTROL": "CENTER", "FSS": "FSS", "RCO": "FSS", "AAS": "ADVISORY",
    "LARS": "LARS", "OPS": "OPERATIONS", "PAL": "LIGHTS", "ARCAL": "LIGHTS", "VDF": "VDF",
    "PMSV": "METRO", "EMR": "EMERGENCY", "EMERG": "EMERGENCY", "FIRE": "FIRE",
  ]

  /// `TOWER Friedrichshafen Tower 120.075`; the frequency alone where neither type nor description says more.
  ///
  /// The library finds fuel in all texts, so a description that names one (`Jet Centre`) is left out.
  static func line(_ frequency: WorldFrequency) -> String {
    let word = plain(frequency.type)
    let words = frequency.description.split { $0 == ";" || $0.isWhitespace }.joined(separator: " ")
    let isNew =
      !words.isEmpty && words.uppercased() != word && words.uppercased() != frequency.type.uppercased()
    let description = isNew && !FuelWords.wouldPretend(words, fuels: []) ? words : nil
    return [word, description, "\(frequency.megahertz)"].compactMap(\.self).joined(separator: " ")
  }
}
