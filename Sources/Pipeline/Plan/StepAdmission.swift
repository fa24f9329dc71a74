/// Whoever knows what steps will leave, and whether there is room for it.
public protocol StepAdmission {
  /// Is asked once, before any work starts, with all steps that seem to have to be done: those whose inputs changed, and those
  /// that were never done. A fault ends the run.
  ///
  /// - Parameter failed: the steps that failed already, since their sources cannot be had.
  func admit(run steps: [String], failed: [String]) throws
  /// Is asked before each step that has to be done. A fault is that step's alone.
  func admit(step: String) throws
  /// Is asked when what a step made lies aside as a whole. A fault is that step's alone, and throws it away.
  func admit(made step: String) throws
}
