internal import Core

/// Where a wrong cut would show, at the largest zoom, each pixel as four.
struct ContactCrops {
  private let subject: ContactSubject
  private let crops: [ContactCrop]

  private static let side = 192
  private static let scale = 2
  private static let columns = 3
  private static let labelHeight = 24
  private static var cell: (width: Int, height: Int) {
    (side * scale + ContactSheet.Look.gap, side * scale + labelHeight + ContactSheet.Look.gap)
  }

  init(_ subject: ContactSubject) throws {
    self.subject = subject
    crops = try CropPlace.all(of: subject.neatline, in: subject.bounds).map {
      try ContactCrop($0, of: subject, side: ContactCrops.side, scale: ContactCrops.scale)
    }
  }

  var width: Int { ContactCrops.columns * ContactCrops.cell.width - ContactSheet.Look.gap }
  var height: Int {
    (crops.count + ContactCrops.columns - 1) / ContactCrops.columns * ContactCrops.cell.height
      - ContactSheet.Look.gap
  }

  var caption: String { "Below: edges, corners and centre at zoom \(subject.largest), each pixel as four" }

  func draw(on page: inout PageCanvas, x: Int, y: Int) {
    for (index, crop) in crops.enumerated() {
      let left = x + index % ContactCrops.columns * ContactCrops.cell.width
      let top = y + index / ContactCrops.columns * ContactCrops.cell.height
      page.text(label(crop.place), x: left, y: top, size: ContactSheet.Look.textSize, ContactSheet.Look.ink)
      crop.draw(on: &page, x: left, y: top + ContactCrops.labelHeight)
    }
  }

  private func label(_ place: CropPlace) -> String {
    let point = WebMercator.unproject(x: place.point.x, y: place.point.y)
    return "\(place.name) \(told(point.latitude)) \(told(point.longitude.remainder(dividingBy: 360)))"
  }

  /// To a hundredth of a degree, about half a mile: enough to find it on a map.
  private func told(_ degrees: Double) -> String {
    guard abs(degrees) <= 360 else { return "?" }
    let hundredths = Int((abs(degrees) * 100).rounded())
    let fraction = hundredths % 100
    return "\(degrees < 0 ? "-" : "")\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}
