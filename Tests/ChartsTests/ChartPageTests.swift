import Core
import Testing

@testable import Charts

@Suite("The page beside a chart")
struct ChartPageTests {
  @Test("dates and bounds are read from the FAA's form of it, whatever stands around them")
  func real() throws {
    let text = """
      <!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">
      <html><head><meta name="dc.coverage.x.min" scheme="DD" content="-125.946499"/></head><body>
      <dt><em>Publication_Date:</em>  20220127</dt>
      <dt><em>Range_of_Dates/Times:</em>\u{20}\u{20}
      <dd>
      <dl>
      <dt><em>Beginning_Date:</em>  20220127</dt>
      <dt><em>Ending_Date:</em>  20220323</dt>
      <dt><em>West_Bounding_Coordinate:</em>  -125.946499</dt>
      <dt><em>East_Bounding_Coordinate:</em>  -117.633281</dt>
      <dt><em>North_Bounding_Coordinate:</em>  40.639460</dt>
      <dt><em>South_Bounding_Coordinate:</em>  35.857057</dt>
      <dt><em>Beginning_Date:</em>  19990101</dt></body></html>
      """
    let page = try ChartPage(htm: Array(text.utf8) + [0xE9, 0xFF])
    #expect(page.beginning == CalendarDay("2022-01-27"))
    #expect(page.ending == CalendarDay("2022-03-23"))
    #expect(page.extent == GeoBox(west: -125.946499, south: 35.857057, east: -117.633281, north: 40.63946))
  }

  @Test(
    "a field that is missing or nonsense is named",
    arguments: [
      ("Ending_Date:</em>  20220323", "Ending_Date:</em>  Unknown", "Ending_Date"),
      ("Beginning_Date:</em>  20220127", "Beginning_Date:</em>  20220230", "Beginning_Date"),
      ("East_Bounding_Coordinate", "Best_Bounding_Coordinate", "East_Bounding_Coordinate"),
      ("-125.9", "west", "West_Bounding_Coordinate"),
    ])
  func nonsense(whole: String, spoiled: String, field: String) throws {
    let text = """
      <em>Beginning_Date:</em>  20220127<em>Ending_Date:</em>  20220323
      <em>West_Bounding_Coordinate:</em> -125.9 <em>East_Bounding_Coordinate:</em> -117.6
      <em>North_Bounding_Coordinate:</em> 40.6 <em>South_Bounding_Coordinate:</em> 35.8
      """
    _ = try ChartPage(htm: Array(text.utf8))
    let error = #expect(throws: ChartPage.Missing.self) {
      _ = try ChartPage(htm: Array(text.replacing(whole, with: spoiled).utf8))
    }
    #expect(error?.field == field)
  }
}
