internal import CMemory

/// Memory that is free but not yet returned to the system.
public enum FreedMemory {
  /// Returns it to the system. After a large array is freed, glibc keeps its memory for later allocations, and small allocations of one
  /// stage then fragment it for the large ones of the next. Call this between stages that allocate differently.
  public static func giveBack() { chartpipe_give_back_memory() }
}
