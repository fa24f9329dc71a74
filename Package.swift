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
  ("CryptoIO", ["CCrypto"]),
  // For apps: a product of its own. Besides `Core` and zlib it has only `platformDependencies`.
  ("ChartpipeClient", ["Core", "CZlib"]),
  ("ArchiveIO", ["CZip", "CDeflate"]),
  ("HTTPIO", ["CCurl", "Core", "CryptoIO"]),
  ("Pipeline", ["Core", "CryptoIO", "CMemory"]),
  ("Fetch", ["Pipeline", "Core", "CryptoIO", "ArchiveIO", "HTTPIO"]),
  ("TileArchive", ["Core", "Pipeline", "SQLiteIO", "CryptoIO", "ArchiveIO"]),
  (
    "Charts",
    [
      "Core", "RasterIO", "ImageIO", "SQLiteIO", "CryptoIO", "ArchiveIO", "TileArchive", "Fetch", "Pipeline",
      "CPixels",
    ]
  ),
  (
    "Aero",
    ["Core", "RasterIO", "SQLiteIO", "CryptoIO", "ArchiveIO", "TileArchive", "Fetch", "Pipeline"]
  ),
  (
    "Validation",
    ["Core", "RasterIO", "Pipeline", "Fetch", "SQLiteIO", "ImageIO", "CryptoIO", "TileArchive", "Aero"]
  ),
  (
    "Site",
    [
      "Core", "Pipeline", "CryptoIO", "ArchiveIO", "HTTPIO", "ImageIO", "SQLiteIO", "TileArchive", "Aero",
      "Validation",
    ]
  ),
  ("Preview", ["Core", "Pipeline", "CryptoIO", "SQLiteIO", "TileArchive", "Site"]),
  (
    "Packs",
    ["Core", "ChartpipeClient", "Pipeline", "SQLiteIO", "TileArchive", "Charts", "Site"]
  ),
]

/// Modules that work on pixels. They are optimised in debug builds too, since the tests build and check dozens of charts. `Core` is
/// not among them: SwiftPM refuses a library with unsafe flags as a versioned dependency, and `ChartpipeClient` uses it.
let optimizedModules: Set<String> = ["RasterIO", "ImageIO", "TileArchive", "Charts", "Validation"]

/// Dependencies that a module has on some platforms only. Apple's systems have CryptoKit in place of libcrypto.
let platformDependencies: [String: [Target.Dependency]] = [
  "ChartpipeClient": [.target(name: "CryptoIO", condition: .when(platforms: [.linux]))]
]

let fast: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// Resources embedded in the executable.
let embedded: [String: [Resource]] = [
  "Aero": [.embedInCode("Export/names.txt"), .embedInCode("VectorTiles/chart-style.json")],
  "Preview": [
    "index.html", "preview.css", "main.js", "words.js", "place.js", "path-layer.js", "charts.js",
    "chart-list.js", "airports.js", "airport-card.js", "airport-dots.js", "airspace.js", "swipe.js",
    "search.js",
  ].map { .embedInCode("Page/\($0)") },
  "Site": [
    "Map/elements.js", "Map/mercator.js", "Map/home-box.js", "Map/paths.js", "Map/taken-places.js",
    "Map/tile-cache.js",
    "Map/raster-layer.js", "Map/vector-style.js", "Map/outline-layer.js", "Map/graticule-layer.js",
    "Map/scale-layer.js", "Map/gestures.js", "Map/map.js", "Page/page.html", "Page/page.css",
    "Page/pmtiles.js",
    "Page/mvt.js", "Page/vector-layer.js", "Page/catalogue.js", "Page/downloads.js", "Page/recipes.js",
    "Page/main.js",
  ].map { .embedInCode($0) },
]

/// Modules for tests and benchmarks only. Debug builds optimise them too.
let supportModules: [(name: String, path: String, uses: [String])] = [
  ("SyntheticSheet", "Benchmarks/SyntheticSheet", ["Core", "Pipeline", "RasterIO", "ArchiveIO"]),
  ("TestSupport", "Tests/TestSupport", ["Pipeline", "Core", "CryptoIO"]),
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
  "Aero", "Core", "Charts", "ChartpipeClient", "CryptoIO", "Site", "Fetch", "ImageIO", "Pipeline", "Preview",
  "RasterIO", "TestSupport", "TileArchive", "Validation", "ArchiveIO",
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
  platforms: [.macOS(.v15), .iOS(.v18)],
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
        resources: embedded[$0.name] ?? [],
        swiftSettings: strict + (optimizedModules.contains($0.name) ? fast : []))
    }
    + supportModules.map {
      .target(
        name: $0.name, dependencies: dependencies($0.uses), path: $0.path,
        swiftSettings: strict + fast)
    }
    + [
      .executableTarget(
        name: "chartpipe", dependencies: dependencies(modules.map(\.name).filter { $0 != "ChartpipeClient" }),
        swiftSettings: strict),
      .executableTarget(
        name: "make-samples",
        dependencies: dependencies(["SyntheticSheet", "ArchiveIO", "Core", "Pipeline"]),
        path: "Benchmarks/MakeSamples", swiftSettings: strict),
      testTarget("Core"),
      testTarget("ChartpipeClient", uses: ["CryptoIO", "chartpipe"]),
      testTarget("CryptoIO"),
      testTarget("ArchiveIO"),
      testTarget("HTTPIO", uses: ["Core", "CryptoIO"]),
      testTarget("SQLiteIO"),
      testTarget("ImageIO"),
      testTarget("RasterIO", uses: ["Core"]),
      testTarget(
        "Charts",
        uses: [
          "Core", "RasterIO", "ImageIO", "ArchiveIO", "CryptoIO", "Fetch", "Pipeline", "TileArchive",
          "SyntheticSheet",
        ],
        besides: ["Fixtures"]),
      testTarget("Pipeline", uses: ["Core", "CryptoIO"]),
      testTarget("Fetch", uses: ["Core", "Pipeline", "CryptoIO", "HTTPIO", "ArchiveIO"]),
      testTarget("TileArchive", uses: ["CryptoIO", "Core", "ArchiveIO", "Pipeline", "SQLiteIO"]),
      testTarget(
        "Validation",
        uses: ["Aero", "CryptoIO", "Core", "Fetch", "ImageIO", "Pipeline", "SQLiteIO", "TileArchive"]),
      testTarget(
        "Site",
        uses: [
          "Aero", "Core", "ChartpipeClient", "CryptoIO", "ArchiveIO", "HTTPIO", "ImageIO", "Pipeline",
          "SQLiteIO", "TileArchive", "Validation",
        ], besides: ["Page"]),
      testTarget(
        "Preview", uses: ["Core", "CryptoIO", "Site", "Pipeline", "SQLiteIO", "TileArchive"]),
      testTarget("Packs", uses: ["Core", "ChartpipeClient", "ImageIO", "Pipeline", "TileArchive"]),
      testTarget("chartpipe", uses: ["Core", "Charts", "Pipeline", "Validation"]),
      testTarget(
        "EndToEnd", of: "chartpipe",
        uses: [
          "Pipeline", "CryptoIO", "SQLiteIO", "TileArchive", "Core", "ImageIO", "SyntheticSheet", "Site",
          "ArchiveIO", "Charts", "Fetch", "Validation", "RasterIO",
        ],
        besides: ["Goldens"]),
      testTarget("SyntheticSheet", uses: ["Core", "Pipeline", "RasterIO", "ArchiveIO"]),
      testTarget(
        "Aero", uses: ["Core", "CryptoIO", "Fetch", "Pipeline", "SQLiteIO", "ArchiveIO", "TileArchive"],
        besides: ["Fixtures", "Independent"]),
      // The apps' own types and SQL, against what the program builds.
      testTarget("App", of: "chartpipe", uses: ["SQLiteIO"]),
      fuzzing,
    ],
  swiftLanguageModes: [.v6]
)
