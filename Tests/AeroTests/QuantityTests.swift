import Testing

@testable import Aero

struct QuantityTests {
  @Test func `every column of numbers says which numbers can be`() {
    let unsaid = (DatabaseSchema.tables + ObstacleSchema.tables).flatMap { table in
      table.columns.filter { $0.holdsNumbers && table.quantity(of: $0) == nil }.map {
        table.name + "." + $0.name
      }
    }
    #expect(unsaid == [])
  }

  @Test func `what is usual is possible, and a column of text has no range`() throws {
    for table in DatabaseSchema.tables + ObstacleSchema.tables {
      for column in table.columns {
        guard let quantity = table.quantity(of: column) else { continue }
        #expect(column.holdsNumbers)
        #expect(quantity.possible.contains(quantity.usual.lowerBound), "\(table.name).\(column.name)")
        #expect(quantity.possible.contains(quantity.usual.upperBound), "\(table.name).\(column.name)")
      }
    }
  }

  /// What a reading lets through must not be refused later on.
  @Test func `no reading lets through what is impossible`() {
    for table in DatabaseSchema.sourceTables + DatabaseSchema.detailTables + [.airports, .obstacles] {
      for field in table.fields {
        guard let quantity = table.schema.quantity(of: field.column) else { continue }
        let range: ClosedRange<Double>? =
          switch field.reading {
          case .real(_, let range): range
          case .whole(_, let range): Double(range.lowerBound)...Double(range.upperBound)
          default: nil
          }
        guard let range else { continue }
        #expect(
          quantity.possible.lowerBound <= range.lowerBound
            && quantity.possible.upperBound >= range.upperBound,
          "\(table.schema.name).\(field.column.name)")
      }
    }
  }

  @Test func `the words of a code are known to the schema`() {
    let status = DatabaseSchema.tables.first { $0.name == "airports" }?.columns.first { $0.name == "status" }
    #expect(status?.words == ["operational", "closedIndefinitely", "closedPermanently"])
  }
}
