internal import Core
internal import Foundation

/// The `.htm` beside a chart: FGDC metadata as nested lists, in the exact form of the FAA's files.
struct FGDCMetadata {
  let design: SheetDesign

  init(_ design: SheetDesign) { self.design = design }

  /// The files are ISO 8859-1, not UTF-8: each degree sign is one byte.
  var latin1: Data { Data(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }) }

  private var text: String {
    let title = design.fileStem + ".tif"
    let head = [
      "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\" \"http://www.w3.org/TR/html4/loose.dtd\">",
      "<html>", "<head>",
      "  <meta http-equiv=\"Content-Type\" content=\"text/html; charset=ISO-8859-1\"/>",
      "  <title>\(title)</title>",
      "  <meta name=\"dc.title\" content=\"\(title) \"/>",
      "  <meta name=\"dc.coverage.t.min\" content=\"\(design.edition.firstDay.compact)\"/>",
      "  <meta name=\"dc.coverage.t.max\" content=\"\(design.edition.lastDay.compact)\"/>",
      "</head>", "<body>", "<h1>\(title)</h1>",
    ]
    let body = sections.enumerated().flatMap { number, section in
      ["<a name=\"\(number + 1)\">", "</a>", "<hr/>", "<dl>"] + section.lines + ["</dl>"]
    }
    return (head + body + ["</body>", "</html>"]).map { $0 + "\r\n" }.joined()
  }

  private var sections: [Entry] {
    [identification, quality, organization, reference]
  }

  private var identification: Entry {
    let box = design.envelope
    // Across 180 degrees west is greater than east, as in the FAA's files.
    let west = GeoPoint(longitude: box.west, latitude: box.south).onEarth.longitude
    let east = GeoPoint(longitude: box.east, latitude: box.north).onEarth.longitude
    func degrees(_ value: Double) -> String { String(format: "%.6f", value) }
    return Entry(
      "Identification_Information",
      [
        Entry(
          "Citation",
          [
            Entry(
              "Citation_Information",
              [
                Entry("Originator", "Chartpipe, the generator of synthetic sheets"),
                Entry("Publication_Date", design.edition.firstDay.compact),
                Entry("Title", design.fileStem + ".tif"),
                Entry("Geospatial_Data_Presentation_Form", "raster digital data"),
              ])
          ]),
        Entry(
          "Description",
          [
            Entry("Abstract", "A made-up chart in the form of an FAA raster chart. Not for navigation."),
            Entry(
              "Purpose",
              "To run a chart pipeline, and to measure what comes out, with an image whose every "
                + "crossing is known. Longitudes and latitudes are in degrees (\u{B0}) of NAD83."),
          ]),
        Entry("Time_Period_of_Content", [period]),
        Entry("Status", [Entry("Progress", "Complete")]),
        Entry(
          "Spatial_Domain",
          [
            Entry(
              "Bounding_Coordinates",
              [
                Entry("West_Bounding_Coordinate", degrees(west)),
                Entry("East_Bounding_Coordinate", degrees(east)),
                Entry("North_Bounding_Coordinate", degrees(box.north)),
                Entry("South_Bounding_Coordinate", degrees(box.south)),
              ])
          ]),
        Entry("Access_Constraints", "None."),
        Entry("Use_Constraints", "Synthetic. It must not be used to fly by."),
      ])
  }

  private var period: Entry {
    Entry(
      "Time_Period_Information",
      [
        Entry(
          "Range_of_Dates/Times",
          [
            Entry("Beginning_Date", design.edition.firstDay.compact),
            Entry("Ending_Date", design.edition.lastDay.compact),
          ])
      ])
  }

  /// The dates are repeated here, as in the FAA's files.
  private var quality: Entry {
    Entry(
      "Data_Quality_Information",
      [
        Entry(
          "Lineage",
          [
            Entry(
              "Source_Information",
              [
                Entry("Source_Scale_Denominator", String(design.series.scale)),
                Entry("Source_Time_Period_of_Content", [period]),
                Entry("Source_Citation_Abbreviation", design.series.suffix),
              ])
          ])
      ])
  }

  private var organization: Entry {
    Entry(
      "Spatial_Data_Organization_Information",
      [
        Entry("Direct_Spatial_Reference_Method", "Raster"),
        Entry(
          "Raster_Object_Information",
          [
            Entry("Raster_Object_Type", "Pixel"),
            // The FAA's files swap these two values, so these do, too.
            Entry("Row_Count", String(design.width)),
            Entry("Column_Count", String(design.height)),
          ]),
      ])
  }

  private var reference: Entry {
    let (first, second) = design.projection.standardParallels
    let resolution = String(format: "%.6f", design.metresPerPixel)
    return Entry(
      "Spatial_Reference_Information",
      [
        Entry(
          "Horizontal_Coordinate_System_Definition",
          [
            Entry(
              "Planar",
              [
                Entry(
                  "Map_Projection",
                  [
                    Entry("Map_Projection_Name", "Lambert Conformal Conic"),
                    Entry(
                      "Lambert_Conformal_Conic",
                      [
                        Entry("Standard_Parallel", String(first)),
                        Entry("Standard_Parallel", String(second)),
                        Entry("Longitude_of_Central_Meridian", String(design.projection.origin.longitude)),
                        Entry("Latitude_of_Projection_Origin", String(design.projection.origin.latitude)),
                        Entry("False_Easting", "0.000000"), Entry("False_Northing", "0.000000"),
                      ]),
                  ]),
                Entry(
                  "Planar_Coordinate_Information",
                  [
                    Entry("Planar_Coordinate_Encoding_Method", "Row and column"),
                    Entry(
                      "Coordinate_Representation",
                      [
                        Entry("Abscissa_Resolution", resolution), Entry("Ordinate_Resolution", resolution),
                      ]),
                    Entry("Planar_Distance_Units", "Meters"),
                  ]),
              ]),
            Entry(
              "Geodetic_Model",
              [
                Entry("Horizontal_Datum_Name", "North American Datum of 1983"),
                Entry("Ellipsoid_Name", "Geodetic Reference System 80"),
                Entry("Semi-major_Axis", "6378137.000000"),
                Entry("Denominator_of_Flattening_Ratio", "298.257222"),
              ]),
          ])
      ])
  }

  /// A name with a value or nested entries.
  struct Entry {
    let name: String
    let value: String?
    let parts: [Entry]

    init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
      parts = []
    }

    init(_ name: String, _ parts: [Entry]) {
      self.name = name
      value = nil
      self.parts = parts
    }

    /// Prose is a separate paragraph, short values are on the line of the name.
    var lines: [String] {
      let title = "<dt><em>\(name):</em>  "
      guard let value else {
        return [title, "<dd>", "<dl>"] + parts.flatMap(\.lines) + ["</dl>", "</dd>"]
      }
      return value.count > 60 ? [title, "<dd>", "", value, "", "</dd>"] : [title + value + "</dt>"]
    }
  }
}
