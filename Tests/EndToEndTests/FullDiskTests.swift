#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// A disk that fills up while the work is done, made of a small tmpfs. Only root may mount one.
  @Suite struct FullDiskTests {
    static let mayMount = getuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/mount")

    @Test(.enabled(if: mayMount)) func aDiskThatIsFullBeforeTheDatabaseIs() throws {
      try onDisk(kilobytes: 500) { disk, ending in
        #expect(ending.status == 1, "\(ending.errors)")
        #expect(ending.errors.contains("disk is full"), "\(ending.errors)")
        let left = try files(below: disk).filter { !$0.contains("journal/") }
        #expect(left.isEmpty, "\(left)")
      }
    }

    /// What it needs can be told from its sources before, so nothing is begun.
    @Test(.enabled(if: mayMount)) func aDiskThatHasNoRoomForTheRun() throws {
      try onDisk(kilobytes: 100) { disk, ending in
        #expect(ending.status == 1, "\(ending.errors)")
        #expect(ending.errors.contains("making room for cycle 2304: it needs about"), "\(ending.errors)")
        let left = try files(below: disk)
        #expect(left.isEmpty, "\(left)")
      }
    }

    /// The first time it is a guess, and what was built is more; then its size is known.
    @Test(.enabled(if: mayMount)) func aDiskThatHasNoRoomForTheSite() throws {
      try onDisk(kilobytes: 1800) { disk, ending in
        #expect(ending.status == 1, "\(ending.errors)")
        #expect(
          ending.errors.contains("making room for the site of cycle 2304: it needs about"), "\(ending.errors)"
        )
        let left = try files(below: disk)
        #expect(left.contains("work/build/2304/sample-nasr/aviation.sqlite"))
        #expect(
          !left.contains { $0.contains("scratch/") || $0.contains("/blobs/") || $0.contains("catalog") },
          "\(left)")
      }
    }

    @Test(.enabled(if: mayMount)) func aTargetThatIsFullKeepsNothingHalfSent() throws {
      let site = try SampleCycleTests.flight.get().file("site")
      try withDisk(kilobytes: 600) { disk in
        let target = disk.appending(path: "target")
        let ending = try Program().run(["publish", site.path, target.path])
        #expect(ending.status == 1 && ending.errors.contains("the disk is full"), "\(ending.errors)")
        let left = try files(below: target)
        #expect(!left.contains { $0.contains(".publishing-") || $0 == "catalog.json" }, "\(left)")
      }
    }

    @Test(.enabled(if: mayMount)) func aMirrorThatHasNoRoomIsNotBegun() throws {
      let site = try SampleCycleTests.flight.get().file("site")
      try withDisk(kilobytes: 600) { disk in
        let mirror = disk.appending(path: "mirror")
        let ending = try Program().run(["mirror", site.path, mirror.path])
        #expect(ending.status == 1 && ending.errors.contains("the disk has room for"), "\(ending.errors)")
        #expect(try files(below: mirror).isEmpty)
      }
    }

    /// Runs the sample database on a disk of its own.
    private func onDisk(kilobytes: Int, _ look: (URL, Program.Ending) throws -> Void) throws {
      try withDisk(kilobytes: kilobytes) { disk in
        let ending = try Program().run([
          "run", "sample-nasr", "--cycle", "2304", "--from", samplesFolder.path, "--work",
          disk.appending(path: "work").path,
        ])
        try look(disk, ending)
      }
    }

    private func withDisk(kilobytes: Int, _ body: (URL) throws -> Void) throws {
      let folder = try TemporaryFolder()
      let disk = folder.file("disk")
      try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
      guard
        try system("/usr/bin/mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", disk.path]) == 0
      else {
        return  // a container may forbid it even to root
      }
      defer { _ = try? system("/usr/bin/umount", [disk.path]) }
      try body(disk)
    }

    private func system(_ program: String, _ arguments: [String]) throws -> Int32 {
      let process = Process()
      process.executableURL = URL(filePath: program)
      process.arguments = arguments
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitForExit()
      return process.terminationStatus
    }
  }
#endif
