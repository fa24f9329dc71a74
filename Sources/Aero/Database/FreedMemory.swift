internal import CMemory

/// What was freed and is still kept from the system.
enum FreedMemory {
  /// Gives it back. Once a large array was freed, glibc makes those that follow of memory that it keeps, in which the small things
  /// of one stage leave no room for the large ones of the next; so this is called between stages that differ in what they hold.
  static func giveBack() { chartpipe_give_back_memory() }
}
