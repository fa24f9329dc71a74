@main
struct MakeSamples {
  static func main() {}
}
