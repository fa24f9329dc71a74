import Foundation

/// The entry to fuzz. libFuzzer passes an input only, so the entry comes from the environment.
private let entry: FuzzEntry = {
  let name = ProcessInfo.processInfo.environment["FUZZ_ENTRY"] ?? ""
  guard let entry = FuzzEntry(rawValue: name) else {
    fatalError("FUZZ_ENTRY must be one of \(FuzzEntry.allCases.map(\.rawValue).joined(separator: ", "))")
  }
  return entry
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func feed(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
  try? entry.feed(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
