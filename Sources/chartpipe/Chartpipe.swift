@main
struct Chartpipe {
  static func main() {}
}
