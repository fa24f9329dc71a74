/// The products whose sources could not be fetched because a server cannot be reached. That was reported once for the server, so the
/// console does not repeat it for each product. The outcome of the run, the report and the JSON lines contain every failure.
struct ServerOutages {
  private let products: Set<String>

  init() { products = [] }

  init(_ sources: [FetchedSource]) {
    products = Set(sources.filter { $0.unreachableServer != nil }.flatMap(\.products))
  }

  func filter(_ console: Console) -> any ProgressReporter {
    guard !products.isEmpty, !console.json else { return console.progress }
    return OutageProgress(products: products, reporter: console.progress)
  }

  private struct OutageProgress: ProgressReporter {
    let products: Set<String>
    let reporter: any ProgressReporter

    func report(_ event: ProgressEvent) {
      if case .failed(let step, _) = event, products.contains(Step.ID(step).product) { return }
      reporter.report(event)
    }
  }
}
