import Foundation
import Pipeline
import Site
import TestSupport
import Testing

/// Every library that the program is linked with either stands in the manifest or can change no byte, and why is said here. One that
/// is linked anew fails this test until somebody has thought of that.
@Suite struct RecordedVersionsTests {
  /// The names under which a manifest has them. Behind GDAL stand PROJ and its database, GEOS, libtiff and libgeotiff.
  private static let recorded = [
    "libgdal": ["gdal", "geos", "libtiff", "libgeotiff"], "libproj": ["proj", "proj.db"],
    "libsqlite3": ["sqlite"],
    "libdeflate": ["libdeflate"], "libwebp": ["libwebp"], "libzip": ["libzip"], "libc": ["libc"],
    "libm": ["libc"],
    "libFoundation": ["swift"], "libswift": ["swift"], "lib_": ["swift"], "libdispatch": ["swift"],
    "libBlocksRuntime": ["swift"],
  ]

  private static let harmless = [
    "libpng":
      "reads PNG alone, which has no loss; what is written is put together here and packed by libdeflate",
    "libz": "comes with libpng and inflates alone",
    "libcrypto": "hashes and signs: the standards fix each bit",
    "libstdc++": "the C++ of other libraries", "libgcc_s": "the unwinding of errors",
    "ld-linux": "loads the program",
    "libTesting": "of tests only", "libXCTest": "of tests only",
  ]

  /// `libgdal` of `libgdal.so.32`.
  private func linked() throws -> [String] {
    let ending = try RunningProgram(URL(filePath: "/usr/bin/readelf"), ["-d", Program().url.path]).wait()
    return ending.output.matches(of: /\(NEEDED\).*\[([^\]]+?)\.so/).map { String($0.1) }
  }

  private func entry<Value>(_ library: String, _ table: [String: Value]) -> Value? {
    table.filter { library.hasPrefix($0.key) }.max { $0.key.count < $1.key.count }?.value
  }

  private static let hasReader = FileManager.default.isExecutableFile(atPath: "/usr/bin/readelf")

  @Test(.enabled(if: hasReader)) func everyLinkedLibraryIsAccountedFor() throws {
    let libraries = try linked()
    try #require(libraries.contains("libgdal"))
    for library in libraries {
      #expect(entry(library, Self.recorded) != nil || entry(library, Self.harmless) != nil, "\(library)")
    }
  }

  @Test func everyProductTellsOfThem() throws {
    let file = try SampleCycleTests.flight.get().file("site/cycles/2304/manifest.json")
    let products = try JSONDecoder().decode(Manifest.self, from: Data(contentsOf: file)).products
    for product in products {
      let draws = product.id != "sample-obstacles/obstacles"
      let both = Set(["sqlite", "libc", "swift"] + (draws ? ["gdal", "geos"] : []))
      let own: Set =
        product.kind == .chart
        ? ["proj", "proj.db", "libtiff", "libgeotiff", "libdeflate", "libwebp", "warp"] : ["libzip"]
      #expect(Set(product.build.libraries.keys) == both.union(own), "\(product.id)")
      #expect(product.build.libraries.values.allSatisfy { $0.contains(where: \.isNumber) || $0 == "kernel" })
    }
    let names = Set(products.flatMap(\.build.libraries.keys)).subtracting(["warp"])
    #expect(names == Set(Self.recorded.values.flatMap(\.self)))
  }
}
