/// Special-use airspace in the FAA's form, made for a test.
enum SpecialUseSample {
  static func file(_ members: [String]) -> [UInt8] {
    let all = members.map { "<saa:hasMember>\($0)</saa:hasMember>" }.joined(separator: "\n")
    return Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <saa:SaaMessage xmlns:aixm="http://www.aixm.aero/schema/5.0" xmlns:gml="http://www.opengis.net/gml/3.2"
        xmlns:saa="urn:us:gov:dot:faa:aim:saa" xmlns:sua="urn:us:gov:dot:faa:aim:saa:sua"
        xmlns:xlink="http://www.w3.org/1999/xlink">\(all)</saa:SaaMessage>
      """.utf8)
  }

  static func airspace(
    _ designator: String, id: String = "Airspace1", type: String? = "RA", name: String? = nil,
    notes: String = "", uuid: String = "", _ components: [String]
  ) -> String {
    """
    <aixm:Airspace gml:id="\(id)"><gml:identifier>\(uuid)</gml:identifier><aixm:timeSlice><aixm:AirspaceTimeSlice>
    <aixm:designator>\(designator)</aixm:designator><aixm:name>\(name ?? designator)</aixm:name>
    \(components.joined())
    <aixm:annotation><aixm:Note><aixm:translatedNote><aixm:LinguisticNote><aixm:note>\(notes)</aixm:note>
    </aixm:LinguisticNote></aixm:translatedNote></aixm:Note></aixm:annotation>
    <aixm:extension><sua:AirspaceExtension>\(type.map { "<sua:suaType>\($0)</sua:suaType>" } ?? "")
    <saa:administrativeArea>CALIFORNIA</saa:administrativeArea><saa:city>BARSTOW</saa:city></sua:AirspaceExtension>
    </aixm:extension></aixm:AirspaceTimeSlice></aixm:timeSlice></aixm:Airspace>
    """
  }

  /// `lower` and `upper` are such as `500 FT SFC`, `180 FL STD`, `GND`; an empty one is left out.
  static func component(
    _ operation: String, _ sequence: Int, _ lower: String, _ upper: String, _ shape: String,
    besides: String = ""
  ) -> String {
    """
    <aixm:geometryComponent><aixm:AirspaceGeometryComponent><aixm:operation>\(operation)</aixm:operation>
    <aixm:operationSequence>\(sequence)</aixm:operationSequence><aixm:theAirspaceVolume><aixm:AirspaceVolume>
    \(limit("upperLimit", upper))\(limit("lowerLimit", lower))\(besides)\(shape)
    </aixm:AirspaceVolume></aixm:theAirspaceVolume></aixm:AirspaceGeometryComponent></aixm:geometryComponent>
    """
  }

  static func limit(_ name: String, _ text: String) -> String {
    let parts = text.split(separator: " ")
    if parts.count == 3 {
      return "<aixm:\(name) uom=\"\(parts[1])\">\(parts[0])</aixm:\(name)>"
        + "<aixm:\(name)Reference>\(parts[2])</aixm:\(name)Reference>"
    }
    return text.isEmpty ? "" : "<aixm:\(name)>\(text)</aixm:\(name)>"
  }

  static func surface(_ segments: String) -> String {
    """
    <aixm:horizontalProjection><aixm:Surface><gml:patches><gml:PolygonPatch><gml:exterior><gml:Ring><gml:curveMember>
    <gml:Curve><gml:segments>\(segments)</gml:segments></gml:Curve></gml:curveMember></gml:Ring></gml:exterior>
    </gml:PolygonPatch></gml:patches></aixm:Surface></aixm:horizontalProjection>
    """
  }

  /// Corners such as `-117 35`; the ring is left open, as many of the FAA's are.
  static func line(_ corners: [String]) -> String {
    let positions = corners.map { "<gml:pos>\($0)</gml:pos>" }.joined()
    return "<gml:LineStringSegment>\(positions)</gml:LineStringSegment>"
  }

  static func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> String {
    surface(line(["\(west) \(south)", "\(east) \(south)", "\(east) \(north)", "\(west) \(north)"]))
  }

  static func arc(_ center: String, miles: String, from: String, to: String) -> String {
    "<gml:ArcByCenterPoint numArc=\"1\">\(round(center, miles))<gml:startAngle uom=\"deg\">\(from)</gml:startAngle>"
      + "<gml:endAngle uom=\"deg\">\(to)</gml:endAngle></gml:ArcByCenterPoint>"
  }

  static func circle(_ center: String, miles: String) -> String {
    "<gml:CircleByCenterPoint numArc=\"1\">\(round(center, miles))</gml:CircleByCenterPoint>"
  }

  private static func round(_ center: String, _ miles: String) -> String {
    "<gml:pointProperty><gml:Point><gml:pos>\(center)</gml:pos></gml:Point></gml:pointProperty>"
      + "<gml:radius uom=\"NM\">\(miles)</gml:radius>"
  }

  /// The shape of another airspace.
  static func reference(_ href: String) -> String {
    """
    <aixm:contributorAirspace><aixm:AirspaceVolumeDependency><aixm:dependency>HORZ_PROJECTION</aixm:dependency>
    <aixm:theAirspace xlink:href="\(href)"/></aixm:AirspaceVolumeDependency></aixm:contributorAirspace>
    """
  }
}
