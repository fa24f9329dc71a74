import Foundation
import TestSupport
import Testing

/// The script of `plan --format slurm` on a real cluster of two nodes on this machine, one of which is killed.
@Suite(.slow, .blocking) struct SlurmClusterTests {
  private static let isInstalled = ["sbatch", "slurmctld", "slurmd", "munged"].allSatisfy { name in
    ["/usr/bin", "/usr/sbin"].contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
  }

  @Test(.enabled(if: isInstalled, "Slurm is not installed (slurm-wlm, munge)"))
  func `a cycle on Slurm whose node is killed gives the bytes of one machine`() throws {
    let programs = try Program().url.deletingLastPathComponent().path
    let ending = try RunningProgram(
      repositoryRoot.appending(path: "scripts/prove-slurm"), ["--programs", programs, "--metres", "2000"]
    ).wait().expect(0)
    #expect(ending.output.contains("JobState=NODE_FAIL"), "\(ending.output)")
    #expect(ending.output.contains("the published sites: "), "\(ending.output)")
  }
}
