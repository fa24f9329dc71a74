// swift-tools-version: 6.2
import PackageDescription

/// One strict setting list for every Swift target: warnings are errors, imports say what they expose.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Each module may use only modules that are listed above it.
let modules: [(name: String, uses: [String])] = [
  ("Core", []),
  ("RasterIO", ["CGDAL", "CProj"]),
  ("SQLiteIO", ["CSQLite"]),
  ("ImageIO", ["CImage", "CDeflate", "CWebP", "CPixels"]),
  ("CryptoIO", ["Core", "CCrypto"]),
  // For apps: a product of its own. Besides `Core` and zlib it has only `platformDependencies`.
  ("ChartpipeClient", ["Core", "CZlib"]),
  ("ArchiveIO", ["CZip", "CDeflate"]),
  ("HTTPIO", ["CCurl", "Core", "CryptoIO"]),
  (
    "ChartpipeKit",
    [
      "Core", "RasterIO", "SQLiteIO", "ImageIO", "CryptoIO", "ArchiveIO", "HTTPIO", "ChartpipeClient",
      "CPixels",
      "CMemory",
    ]
  ),
]

/// Whether another package has downloaded this one. SwiftPM refuses a library with unsafe flags as a versioned dependency.
let isDependency = ["/.build/", "/SourcePackages/"].contains { Context.packageDirectory.contains($0) }

/// Modules that are not optimised in debug builds. All others are, since the tests build and check dozens of charts and databases.
/// With `-O` `ChartpipeKit` takes three times as long to compile, so its loops over pixels are in `ImageIO`.
let unoptimizedModules = ["ChartpipeKit"] + (isDependency ? ["ChartpipeClient", "Core", "CryptoIO"] : [])

/// Dependencies that a module has on some platforms only. Apple's systems have CryptoKit in place of libcrypto.
let platformDependencies: [String: [Target.Dependency]] = [
  "ChartpipeClient": [.target(name: "CryptoIO", condition: .when(platforms: [.linux]))]
]

let fast: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// The folders beside those of `ChartpipeKit`.
let others =
  [
    "CCrypto", "CCurl", "CDeflate", "CGDAL", "CImage", "CMemory", "CPixels", "CProj", "CSQLite", "CWebP",
    "CZip", "CZlib",
    "chartpipe/Main",
  ] + modules.map(\.name).filter { $0 != "ChartpipeKit" }

/// Files of `ChartpipeKit` that are embedded in the executable.
let embedded = [
  "Aero/Export/names.txt",
  "Aero/Export/VectorTiles/chart-style.json",
  "Site/Map/elements.js",
  "Site/Map/mercator.js",
  "Site/Map/home-box.js",
  "Site/Map/paths.js",
  "Site/Map/feature-layer.js",
  "Site/Map/taken-places.js",
  "Site/Map/tile-cache.js",
  "Site/Map/raster-layer.js",
  "Site/Map/vector-style.js",
  "Site/Map/outline-layer.js",
  "Site/Map/graticule-layer.js",
  "Site/Map/scale-layer.js",
  "Site/Map/mark-layer.js",
  "Site/Map/gestures.js",
  "Site/Map/map.js",
  "Site/Report/changes.css",
  "Site/Report/changes.js",
  "Site/Report/pages.css",
  "Site/Report/report.css",
  "Site/Page/page.html",
  "Site/Page/page.css",
  "Site/Page/pmtiles.js",
  "Site/Page/mvt.js",
  "Site/Page/vector-layer.js",
  "Site/Page/catalogue.js",
  "Site/Page/preview.js",
  "Site/Page/layers.js",
  "Site/Page/airport-list.js",
  "Site/Page/swipe.js",
  "Site/Page/airport-card.js",
  "Site/Page/live.js",
  "Site/Page/live-view.js",
  "Site/Page/downloads.js",
  "Site/Page/recipes.js",
  "Site/Page/main.js",
].map { Resource.embedInCode($0) }

/// Modules for tests and benchmarks only. Debug builds optimise them too.
let supportModules: [(name: String, path: String, uses: [String])] = [
  ("ZipWriting", "Benchmarks/ZipWriting", ["ArchiveIO", "CZip"]),
  ("RasterWriting", "Benchmarks/RasterWriting", ["RasterIO", "CGDAL"]),
  (
    "SyntheticSheet", "Benchmarks/SyntheticSheet",
    ["Core", "ChartpipeKit", "RasterIO", "RasterWriting", "ZipWriting"]
  ),
  ("TestSupport", "Tests/TestSupport", ["ChartpipeKit", "Core", "CryptoIO", "ImageIO", "RasterIO"]),
]

func dependencies(_ names: [String]) -> [Target.Dependency] { names.map { .byName(name: $0) } }

func testTarget(
  _ name: String, of module: String? = nil, uses: [String] = [], besides: [String] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies([module ?? name, "TestSupport"] + uses),
    exclude: besides, swiftSettings: strict)
}

/// The fuzzer needs its own build options, so it is built only with `CHARTPIPE_FUZZ` (scripts/fuzz). Otherwise a test target runs
/// the same entry points on the saved inputs.
let isFuzzing = Context.environment["CHARTPIPE_FUZZ"] != nil

let fuzzedModules = [
  "ChartpipeKit", "Core", "ChartpipeClient", "CryptoIO", "ImageIO", "RasterIO", "TestSupport", "ArchiveIO",
]

let fuzzing: Target =
  isFuzzing
  ? .executableTarget(
    name: "fuzz", dependencies: dependencies(fuzzedModules), path: "Tests/FuzzTests",
    exclude: ["CorpusTests.swift", "Corpus", "README.md"], swiftSettings: strict)
  : .testTarget(
    name: "FuzzTests", dependencies: dependencies(fuzzedModules),
    exclude: ["LibFuzzer", "Corpus", "README.md"],
    swiftSettings: strict)

let package = Package(
  name: "chartpipe",
  platforms: [.macOS(.v15), .iOS(.v17)],
  products: [
    .executable(name: "chartpipe", targets: ["chartpipe"]),
    .library(name: "ChartpipeClient", targets: ["ChartpipeClient"]),
  ],
  targets: [
    .systemLibrary(
      name: "CGDAL", pkgConfig: "gdal", providers: [.apt(["libgdal-dev"]), .brew(["gdal"])]),
    .systemLibrary(
      name: "CProj", pkgConfig: "proj", providers: [.apt(["libproj-dev"]), .brew(["proj"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CImage", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .systemLibrary(
      name: "CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"]), .brew(["libdeflate"])]
    ),
    .systemLibrary(
      name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
    // Optimised in debug builds too, like the modules that use it.
    .target(name: "CPixels", cSettings: [.unsafeFlags(["-O2"], .when(configuration: .debug))]),
    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"]), .brew(["libzip"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(name: "CMemory"),
    // Without pkg-config: zlib is part of all systems, also of those of apps.
    .systemLibrary(name: "CZlib"),
  ]
    + modules.map {
      .target(
        name: $0.name, dependencies: dependencies($0.uses) + (platformDependencies[$0.name] ?? []),
        path: $0.name == "ChartpipeKit" ? "Sources" : nil, exclude: $0.name == "ChartpipeKit" ? others : [],
        resources: $0.name == "ChartpipeKit" ? embedded : [],
        swiftSettings: strict + (unoptimizedModules.contains($0.name) ? [] : fast))
    }
    + supportModules.map {
      .target(
        name: $0.name, dependencies: dependencies($0.uses), path: $0.path,
        swiftSettings: strict + fast)
    }
    + [
      .executableTarget(
        name: "chartpipe", dependencies: ["ChartpipeKit"], path: "Sources/chartpipe/Main",
        swiftSettings: strict),
      .executableTarget(
        name: "make-samples",
        dependencies: dependencies(["SyntheticSheet", "ArchiveIO", "Core", "ChartpipeKit"]),
        path: "Benchmarks/MakeSamples", swiftSettings: strict),
      testTarget("Core"),
      testTarget("ChartpipeClient", uses: ["Core", "CryptoIO", "chartpipe"]),
      testTarget("CryptoIO", uses: ["Core"]),
      testTarget("ArchiveIO", uses: ["ZipWriting"]),
      testTarget("HTTPIO", uses: ["Core", "CryptoIO"]),
      testTarget("SQLiteIO"),
      testTarget("ImageIO"),
      testTarget("RasterIO", uses: ["Core", "RasterWriting"]),
      testTarget(
        "Charts", of: "ChartpipeKit",
        uses: [
          "Core", "RasterIO", "ImageIO", "ArchiveIO", "CryptoIO", "SyntheticSheet", "RasterWriting",
          "ZipWriting", "CGDAL",
        ],
        besides: ["Fixtures"]),
      testTarget("Pipeline", of: "ChartpipeKit", uses: ["Core", "CryptoIO"]),
      testTarget(
        "Fetch", of: "ChartpipeKit", uses: ["Core", "CryptoIO", "HTTPIO", "ArchiveIO", "ZipWriting"]),
      testTarget("TileArchive", of: "ChartpipeKit", uses: ["Core", "ArchiveIO", "SQLiteIO"]),
      testTarget(
        "Validation", of: "ChartpipeKit",
        uses: ["CryptoIO", "Core", "ImageIO", "SQLiteIO"]),
      testTarget(
        "Site", of: "ChartpipeKit",
        uses: ["Core", "ChartpipeClient", "CryptoIO", "ArchiveIO", "HTTPIO", "ImageIO", "SQLiteIO"],
        besides: ["Page"]),
      testTarget(
        "Preview", of: "ChartpipeKit", uses: ["Core", "CryptoIO"]),
      testTarget("Packs", of: "ChartpipeKit", uses: ["Core", "ChartpipeClient", "ImageIO"]),
      testTarget("chartpipe", of: "ChartpipeKit", uses: ["Core"]),
      testTarget(
        "EndToEnd", of: "chartpipe",
        uses: [
          "ChartpipeKit", "CryptoIO", "SQLiteIO", "Core", "ImageIO", "SyntheticSheet", "ArchiveIO",
          "RasterIO", "RasterWriting", "ZipWriting",
        ],
        besides: ["help.txt"]),
      testTarget("SyntheticSheet", uses: ["ChartpipeKit", "Core", "RasterIO", "ArchiveIO"]),
      testTarget(
        "Aero", of: "ChartpipeKit", uses: ["Core", "CryptoIO", "SQLiteIO", "ArchiveIO", "ZipWriting"],
        besides: ["Fixtures", "Independent"]),
      // The apps' own types and SQL, against what the program builds.
      testTarget("App", of: "chartpipe", uses: ["SQLiteIO"]),
      fuzzing,
    ],
  swiftLanguageModes: [.v6]
)
