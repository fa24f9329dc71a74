import Foundation

/// Which entry is fed: libFuzzer has an input and nothing else to give.
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
