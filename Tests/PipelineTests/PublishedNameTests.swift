import Pipeline
import Testing

@Suite struct PublishedNameTests {
  @Test(arguments: [
    ("Dallas-Love Inset HEL.tif", "Dallas Love Inset HEL.tif"), ("Balt-Wash_Heli.zip", "balt_wash_HELI.zip"),
    ("Chicago O'Hare Inset HEL.tif", "Chicago O\u{2019}Hare Inset HEL.tif"),
    ("Chicago O'Hare Inset HEL.tif", "Chicago_O_Hare_Inset_HEL.tif"), ("Heli_files", "heli-files"),
  ])
  func spellingsOfOneName(name: String, other: String) {
    #expect(PublishedName.matches(name, among: [other, "Other.tif"]) { $0 } == [other])
    #expect(PublishedName.matches(other, among: [name, "Other.tif"]) { $0 } == [name])
  }

  @Test(arguments: [
    ("Denver.zip", "Denver_TAC.zip"), ("Caribbean_1_VFR.zip", "Caribbean_2_VFR.zip"), ("A.tif", "A.tiff"),
    ("U.S. Gulf Coast HEL.tif", "US Gulf Coast HEL.tif"), ("Montr\u{E9}al.zip", "Montreal.zip"),
  ])
  func otherNames(name: String, other: String) {
    #expect(PublishedName.matches(name, among: [other]) { $0 }.isEmpty)
  }

  @Test func theExactNameIsPreferred() {
    let names = ["a b.zip", "A_B.zip", "a-b.zip"]
    #expect(PublishedName.matches("A_B.zip", among: names) { $0 } == ["A_B.zip"])
    #expect(PublishedName.matches("A B.zip", among: names) { $0 } == names)
  }
}
