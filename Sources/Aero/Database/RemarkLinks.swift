/// A remark with its airport.
struct LinkedRemark {
  /// The airport's number in the directory.
  let airport: Int
  let remark: AirportRemark
}

/// Puts remarks to their airports.
enum RemarkLinks {
  static func link(
    _ remarks: [AirportRemark], to directory: AirportDirectory, problems: ProblemLog
  ) -> [LinkedRemark] {
    var linked: [LinkedRemark] = []
    for remark in remarks {
      guard let airport = directory.number(of: remark.site) else {
        problems.record(
          .rowDropped, file: AirportRemark.file, line: remark.line, column: "SITE_NO",
          value: remark.site.number,
          reason: "there is no such airport")
        continue
      }
      linked.append(LinkedRemark(airport: airport, remark: remark))
    }
    return linked.sorted { left, right in
      left.airport != right.airport
        ? left.airport < right.airport : AirportRemark.precedes(left.remark, right.remark)
    }
  }
}
