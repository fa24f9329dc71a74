internal import Synchronization

private let counter = Atomic<Int>(0)

/// A number that no earlier call in this process had; names of memory files end in it.
func uniqueNumber() -> Int { counter.add(1, ordering: .relaxed).newValue }
