import Testing

@testable import Aero

struct FrequencyWordsTests {
  @Test(arguments: [
    ("CTAF", [FrequencyType.ctaf]), ("UNICOM", [.unicom]), ("MULTICOM", [.multicom]), ("LCL/P", [.tower]),
    ("LCL/P IC", [.tower]), ("LCL/S", [.tower]), ("GND/S", [.ground]), ("CD/P", [.clearance]),
    ("CD PRE TAXI CLNC", [.clearance]), ("ATIS", [.atis]), ("D-ATIS", [.atis]), ("APCH/P", [.approach]),
    ("DEP/P", [.departure]), ("APCH/P DEP/P", [.approach, .departure]),
    ("APCH/P DEP/P IC", [.approach, .departure]),
    ("APCH/S DEP/S", [.approach, .departure]), ("DODJE STAR", [.other]), ("NANDR RNAV DP", [.other]),
    ("CLASS C", [.other]), ("BANGOR RCAG", [.other]), ("EMERG", [.emergency]), ("", [.other]),
    ("CD PRE DEP CLNC", [.clearance]), ("APT REMARK 1 WITH GCO FREQ", [.other]),
    ("GLOBE NR 2 RCAG", [.other]),
  ])
  func `the FAA's words name the types`(words: String, types: [FrequencyType]) {
    #expect(FrequencyType.all(in: words) == types)
  }

  @Test(arguments: [
    "CTAF", "APCH/P DEP/P IC", "CLASS C", "BIG SUR STAR", "NANDR RNAV DP", "MODESTO RCO", "HAF AWOS-3",
    "COMD POST",
    "ANG OPS", "PMSV METRO", "CD PRE TAXI CLNC", "APT REMARK 1 WITH GCO FREQ", "OAK RADIO", "VFR ADZY",
    "PAR/S", "OME FSS", "GND METERING",
  ])
  func `the FAA's uses are known`(use: String) { #expect(FrequencyType.isKnown(use)) }

  @Test(arguments: ["ZZ", "LOCAL", "COMMON", "CTAF2", ""])
  func `other words are not`(use: String) { #expect(!FrequencyType.isKnown(use)) }

  @Test func `a frequency is read with its mark`() throws {
    let plain = try #require(RadioFrequency("126.975"))
    #expect(plain.megahertz == 126.975 && plain.isVHF && !plain.isReceiveOnly && plain.channel == nil)
    let receive = try #require(RadioFrequency("122.1R"))
    #expect(receive.megahertz == 122.1 && receive.isReceiveOnly)
    let paired = try #require(RadioFrequency("109.8/35X"))
    #expect(paired.megahertz == 109.8 && paired.channel == "35X" && !paired.isVHF)
    #expect(RadioFrequency("113.35/80Y")?.channel == "80Y")
    #expect(RadioFrequency("338.2")?.isVHF == false)
    let ocean = try #require(RadioFrequency("17907 CARIBBEAN FAMILY A"))
    #expect(ocean.megahertz == 17.907 && ocean.network == "CARIBBEAN FAMILY A" && !ocean.isVHF)
    #expect(RadioFrequency("10057.0")?.megahertz == 10.057)
    #expect(RadioFrequency("46.95")?.megahertz == 46.95)
  }

  @Test(arguments: [
    "", "R", "7.5", "1090", "121.5.5", "122.8X", "122.8/X", "122.8/35Z", "1228", "0", "12a",
  ])
  func `what is no frequency is none`(text: String) { #expect(RadioFrequency(text) == nil) }

  @Test(arguments: [
    ("ASPH", "asphalt", true), ("ASPH-CONC", "asphalt-concrete", true), ("ASPH/GRVL", "asphalt-gravel", true),
    ("GRVL", "gravel", true), ("GRAVEL", "gravel", true), ("ROOF-TOP", "rooftop", true),
    ("TURF", "turf", true),
    ("WATER", "water", true), ("OIL&CHIP-T", "oil&chip-t", false), ("ASPH-X", "asph-x", false),
    ("-", "-", false),
  ])
  func `surfaces are words`(code: String, words: String, isKnown: Bool) {
    #expect(RunwayCodes.surface(code) == (words, isKnown))
  }
}
