internal import Foundation

/// An address of this machine on which a server listens.
public struct ListenAddress: Equatable, Sendable {
  /// Four or sixteen bytes, in network order.
  private let bytes: [UInt8]

  /// Only programs on this machine reach it.
  public static let loopback = ListenAddress(bytes: [127, 0, 0, 1])

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// Reads `192.168.1.20`, `0.0.0.0`, `::1`, `::` or `localhost`. Returns nil for other names: a name can have several addresses.
  public init?(_ text: String) {
    var (four, six) = (in_addr(), in6_addr())
    if text.lowercased() == "localhost" {
      self = .loopback
    } else if inet_pton(AF_INET, text, &four) == 1 {
      self.init(bytes: withUnsafeBytes(of: four) { Array($0) })
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      self.init(bytes: withUnsafeBytes(of: six) { Array($0) })
    } else {
      return nil
    }
  }

  public var isLoopback: Bool {
    isIPv6 ? bytes == Array(repeating: 0, count: 15) + [1] : bytes.first == 127
  }

  /// Whether it stands for all addresses of this machine.
  var isAny: Bool { bytes.allSatisfy { $0 == 0 } }

  private var isIPv6: Bool { bytes.count == 16 }
  private var family: Int32 { isIPv6 ? AF_INET6 : AF_INET }

  /// An IPv6 address that needs the name of an interface, which browsers do not accept.
  private var isLinkLocal: Bool { isIPv6 && bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 }

  /// `127.0.0.1` or `::1`
  private var name: String {
    var text = [CChar](repeating: 0, count: 64)
    guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The address in a URL: `127.0.0.1` or `[::1]`.
  var urlHost: String { isIPv6 ? "[\(name)]" : name }

  /// The addresses to open in a browser: itself, or all addresses of this machine, the loopback address first.
  var reachable: [ListenAddress] {
    guard isAny else { return [self] }
    let own = ListenAddress.ofInterfaces.filter {
      !$0.isLoopback && !$0.isLinkLocal && (isIPv6 || !$0.isIPv6)
    }
    return [.loopback] + own
  }

  /// The addresses of the network interfaces, each once.
  private static var ofInterfaces: [ListenAddress] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var found: [ListenAddress] = []
    var next = first
    while let entry = next {
      if let address = entry.pointee.ifa_addr.flatMap(ListenAddress.init(socketAddress:)),
        !found.contains(address)
      {
        found.append(address)
      }
      next = entry.pointee.ifa_next
    }
    return found
  }

  /// The name of this machine, without asking another for it.
  public static var machineName: String {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private init?(socketAddress: UnsafeMutablePointer<sockaddr>) {
    let raw = UnsafeRawPointer(socketAddress)
    switch Int32(socketAddress.pointee.sa_family) {
    case AF_INET:
      let address = raw.loadUnaligned(as: sockaddr_in.self).sin_addr
      bytes = withUnsafeBytes(of: address) { Array($0) }
    case AF_INET6:
      let address = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
      bytes = withUnsafeBytes(of: address) { Array($0) }
    default: return nil
    }
  }
}

extension ListenAddress {
  /// Opens a listening socket.
  ///
  /// - Parameter port: 0 for any free port.
  /// - Returns: the socket and its port; nil on failure, with the reason in `errno`.
  func listen(port: Int) -> (socket: Int32, port: Int)? {
    var hints = addrinfo()
    (hints.ai_flags, hints.ai_socktype) = (AI_NUMERICHOST | AI_NUMERICSERV, ListenAddress.stream)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(name, "\(port)", &hints, &found) == 0, let place = found?.pointee else { return nil }
    defer { freeaddrinfo(found) }
    let number = socket(family, ListenAddress.stream, 0)
    guard number >= 0 else { return nil }
    var (yes, no): (Int32, Int32) = (1, 0)
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, size)
    // `::` also serves the IPv4 addresses.
    if isIPv6 { setsockopt(number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &no, size) }
    let isOpen =
      systemBind(number, place.ai_addr, place.ai_addrlen) == 0 && systemListen(number, 64) == 0
    guard isOpen, let bound = ListenAddress.port(of: number) else {
      let reason = errno
      close(number)
      errno = reason
      return nil
    }
    return (number, bound)
  }

  /// The port of a bound socket. It is at the same position in the addresses of both families.
  private static func port(of number: Int32) -> Int? {
    var place = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let isKnown = withUnsafeMutablePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &size) == 0 }
    }
    return isKnown ? Int(UInt16(bigEndian: place.sin6_port)) : nil
  }

  #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
  #else
    private static let stream = SOCK_STREAM
  #endif
}

#if canImport(Glibc)
  private let systemBind = Glibc.bind
  private let systemListen = Glibc.listen
#else
  private let systemBind = Darwin.bind
  private let systemListen = Darwin.listen
#endif

/// The values of `Host` that a server accepts. Refusing other names prevents DNS rebinding, by which a web page could make its own
/// name lead to this server and read the answers.
struct HostCheck: Sendable {
  private let port: Int
  private let isLoopback: Bool
  private let names: Set<String>

  init(_ address: ListenAddress, port: Int) {
    self.port = port
    isLoopback = address.isLoopback
    let machine = ListenAddress.machineName.lowercased()
    let own = [machine, machine.split(separator: ".").first.map { "\($0).local" } ?? ""].filter {
      !$0.isEmpty
    }
    names = Set(["localhost"] + (isLoopback ? ["127.0.0.1", address.urlHost] : own))
  }

  /// - Parameter host: lower-case, as the browser sent it, with the port unless that is 80.
  ///
  /// For programs on this machine the name and the port must be the server's. Other machines may reach it through a forwarded port;
  /// from them, any numeric address is accepted, since rebinding needs a name.
  func accepts(_ host: String) -> Bool {
    let (name, suffix) = HostCheck.split(host)
    guard isLoopback else {
      let plain = name.hasPrefix("[") ? String(name.dropFirst().dropLast()) : name
      return names.contains(name) || name != "localhost" && ListenAddress(plain) != nil
    }
    return names.contains(name) && (suffix == ":\(port)" || port == 80 && suffix.isEmpty)
  }

  /// Splits `[::1]:8080` or `localhost` into the name and the port with its colon.
  private static func split(_ host: String) -> (name: String, port: String) {
    let end =
      host.hasPrefix("[") ? host.firstIndex(of: "]").map { host.index(after: $0) } : host.firstIndex(of: ":")
    guard let end else { return (host, "") }
    return (String(host[..<end]), String(host[end...]))
  }
}
