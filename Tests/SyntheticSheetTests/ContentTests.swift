import ArchiveIO
import Core
import Foundation
import RasterIO
import SyntheticSheet
import TestSupport
import Testing

@testable import ChartpipeKit

struct ContentTests {
  @Test func `index 0 is white and the palette has room to spare`() throws {
    let picture = try SamplePicture(zip: "sectional-files/Sample_West.zip")
    let palette = try #require(try picture.dataset.palette())
    #expect(palette[0] == PaletteColor(red: 255, green: 255, blue: 255))
    #expect(picture.pixels[0] == 0)
    #expect(try #require(picture.pixels.max()) < 198)
    #expect(picture.dataset.bandCount == 1)
  }

  @Test(arguments: ["sectional-files/Sample_West.zip", "tac-files/Sample_Bay_TAC.zip"])
  func `the metadata give 56 days and the whole image`(path: String) throws {
    let design = try #require(try sampleSet().charts.first { $0.path == path }?.design)
    let archive = try ZipArchive(path: samplesFolder.appending(path: path).path)
    let member = try #require(archive.member(named: design.fileStem + ".htm"))
    let text = try #require(String(bytes: try archive.read(member), encoding: .isoLatin1))
    let first = try #require(CalendarDay(compact: try value("Beginning_Date", in: text)))
    let last = try #require(CalendarDay(compact: try value("Ending_Date", in: text)))
    #expect(first == CalendarDay("2023-04-20"))
    #expect(last.adding(days: 1) == first.adding(days: 56))
    #expect(try value("Row_Count", in: text) == String(design.width))
    #expect(try value("Column_Count", in: text) == String(design.height))
    let west = try #require(Double(try value("West_Bounding_Coordinate", in: text)))
    let north = try #require(Double(try value("North_Bounding_Coordinate", in: text)))
    #expect(abs(west - design.envelope.west) < 1e-6)
    #expect(abs(north - design.envelope.north) < 1e-6)
    #expect(text.contains("\u{B0}"))
  }

  @Test func `the neatlines of the pipelines are those of the designs`() throws {
    let set = try sampleSet()
    let designs = set.charts.map(\.design) + [set.tiny]
    let files = [
      "pipelines/sample-sectional.json5", "pipelines/sample-terminal.json5", "samples/broken/tiny.json5",
    ]
    var charts: [ChartDefinition] = []
    for file in files {
      let definition = try PipelineLibrary.read(repositoryRoot.appending(path: file))
      guard let family = definition as? ChartFamily else {
        Issue.record("\(file) is not of charts")
        continue
      }
      charts += family.charts
    }
    #expect(charts.map(\.name) == designs.map(\.name))
    #expect(charts.map(\.tif) == designs.map { $0.fileStem + ".tif" })
    #expect(charts.prefix(3).map(\.zip) == set.charts.map { String($0.path.split(separator: "/")[1]) })
    for (chart, design) in zip(charts, designs) { #expect(chart.neatline == design.neatline, "\(chart.id)") }
  }

  @Test func `the pipeline of the database finds the subscription`() throws {
    let set = try sampleSet()
    let file = repositoryRoot.appending(path: "pipelines/sample-nasr.json5")
    let definition = try PipelineLibrary.read(file)
    guard let nasr = definition as? NASRDefinition else {
      Issue.record("not of the subscription")
      return
    }
    #expect(nasr.sourceNames(for: set.cycle) == [set.subscription.fileName])
    #expect(definition.items.first?.id == "aviation")
  }

  @Test(arguments: ["PAO", "SQL", "SJC", "SFO", "OAK", "NUQ", "HAF", "RHV"])
  func `the airports of the Bay stand on the charts`(id: String) throws {
    let set = try sampleSet()
    let airport = try #require(set.features.airports.first { $0.id == id })
    #expect(airport.longestRunway > 2000)
    #expect(airport.frequencies["CTAF"] != nil || airport.frequencies["LCL"] != nil)
    let boxes = set.charts.map(\.design.envelope)
    #expect(boxes.contains { $0.contains(airport.position) })
  }

  /// The text after a name's label, up to the next tag.
  private func value(_ name: String, in text: String) throws -> String {
    let label = try #require(text.range(of: "<em>\(name):</em>"))
    return text[label.upperBound...].prefix { $0 != "<" }.trimmingCharacters(in: .whitespaces)
  }
}
