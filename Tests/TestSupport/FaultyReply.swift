internal import Core
internal import Foundation

/// What a `FaultyServer` answers to one request.
struct FaultyReply {
  private(set) var status = 200
  private(set) var body: [UInt8] = []
  private(set) var fault: FaultyServer.UserError?
  private var fields: [String] = []
  private var claimed = 0

  init(to request: FaultyRequest, from server: FaultyServer) {
    fault = server.fault(at: request.path)
    switch fault {
    case .status(let status, let fields, let body):
      (self.status, self.fields, self.body) = (status, fields, Array(body.utf8))
    case .redirect(let place): (status, fields) = (302, ["Location: \(place)"])
    case .page(let text): (body, fields) = (Array(text.utf8), ["Content-Type: text/html"])
    default: serve(request, server)
    }
    if case .cut(let count) = fault { body = Array(body.prefix(count)) }
    if case .claims(let more) = fault { claimed = more }
    if case .packed = fault { fields.append("Content-Encoding: gzip") }
  }

  var head: String {
    let length = status == 304 ? [] : ["Content-Length: \(body.count + claimed)"]
    return (["HTTP/1.1 \(status) -"] + fields + length).joined(separator: "\r\n") + "\r\n\r\n"
  }

  private mutating func serve(_ request: FaultyRequest, _ server: FaultyServer) {
    guard let file = server.file(at: request.path) else { return status = 404 }
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
    if isFolder.boolValue {
      body = Array(server.listing(of: file, at: request.path).utf8)
      fields = ["Content-Type: text/html; charset=UTF-8"]
    } else if let data = try? Data(contentsOf: file) {
      serve([UInt8](data), changed: changed(file), request)
    } else {
      status = 403
    }
  }

  private mutating func serve(_ bytes: [UInt8], changed: String, _ request: FaultyRequest) {
    let tag = "\"\(String(bytes.fingerprint, radix: 16))\""
    if case .tellsNoState = fault {} else { fields = ["ETag: \(tag)", "Last-Modified: \(changed)"] }
    fields.append("Content-Type: application/octet-stream")
    let wanted = request.fields
    if wanted["if-none-match"].map({ $0 == tag }) ?? (wanted["if-modified-since"] == changed) {
      return status = 304
    }
    body = bytes
    if case .ignoresRanges = fault { return }
    fields.append("Accept-Ranges: bytes")
    guard let range = wanted["range"]?.wholeMatch(of: /bytes=(\d+)-(\d*)/), let first = Int(range.1) else {
      return
    }
    if let state = wanted["if-range"], state != tag, state != changed {
      guard case .ignoresIfRange = fault else { return }
    }
    give(first, to: Int(range.2), of: bytes)
  }

  private mutating func give(_ first: Int, to last: Int?, of bytes: [UInt8]) {
    guard first < bytes.count else {
      (status, body) = (416, [])
      return fields.append("Content-Range: bytes */\(bytes.count)")
    }
    var first = first
    if case .shiftsRanges(let count) = fault { first = max(0, first - count) }
    let end = max(first, min(last ?? .max, bytes.count - 1))
    (status, body) = (206, Array(bytes[first...end]))
    fields.append("Content-Range: bytes \(first)-\(end)/\(bytes.count)")
  }

  private func changed(_ file: URL) -> String {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    return date(attributes?[.modificationDate] as? Date ?? .distantPast, "EEE, dd MMM yyyy HH:mm:ss 'GMT'")
  }
}

extension FaultyServer {
  /// Nil for what is not there, or hidden, or outside.
  func file(at path: String) -> URL? {
    let parts = path.split(separator: "/").map(String.init)
    guard !isHidden(path), !parts.contains("..") else { return nil }
    var url = folder
    for part in parts {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
      guard let name = names.first(where: { ignoresCase ? $0.lowercased() == part.lowercased() : $0 == part })
      else { return nil }
      url.append(path: name)
    }
    return url
  }

  /// As Microsoft's IIS lists a folder.
  func listing(of folder: URL, at path: String) -> String {
    let path = path.hasSuffix("/") ? path : path + "/"
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    let lines = names.filter { !isHidden(path + $0) }.map { name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)
      let isFolder = attributes?[.type] as? FileAttributeType == .typeDirectory
      let size = isFolder ? "&lt;dir&gt;" : String(attributes?[.size] as? Int ?? 0)
      let place = (path + name).addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? name
      let day = date(attributes?[.modificationDate] as? Date ?? .distantPast, "MM/dd/yyyy hh:mm a")
      return "\(day) \(size.leftPadded(to: 12)) <A HREF=\"\(place)\(isFolder ? "/" : "")\">\(name)</A><br>"
    }
    return """
      <html><head><title>127.0.0.1 - \(path)</title></head><body><H1>127.0.0.1 - \(path)</H1><hr>

      <pre><A HREF="/">[To Parent Directory]</A><br><br>\(lines.joined())</pre><hr></body></html>
      """
  }
}

private func date(_ date: Date, _ format: String) -> String {
  let formatter = DateFormatter()
  formatter.locale = Locale(identifier: "en_US_POSIX")
  formatter.timeZone = TimeZone(secondsFromGMT: 0)
  formatter.dateFormat = format
  return formatter.string(from: date)
}

extension String {
  fileprivate func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}

extension [UInt8] {
  /// FNV-1a.
  fileprivate var fingerprint: UInt64 {
    reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
