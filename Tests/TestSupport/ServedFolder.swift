internal import Foundation

/// A folder that a `TestServer` serves.
struct ServedFolder {
  let url: URL
  let ignoresCase: Bool

  func answer(
    _ request: TestServer.Request, _ behavior: TestServer.Behavior?, isHidden: (String) -> Bool
  ) -> TestServer.Answer {
    guard let file = file(at: request.path, isHidden) else { return TestServer.Answer(status: 404) }
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
    if isFolder.boolValue {
      return TestServer.Answer(
        fields: ["Content-Type: text/html; charset=UTF-8"],
        body: Array(listing(of: file, at: request.path, isHidden).utf8))
    }
    guard let data = try? file.data else { return TestServer.Answer(status: 403) }
    let type = file.pathExtension == "html" ? "text/html" : "application/octet-stream"
    return answer([UInt8](data), type, modified: modified(file), request.fields, behavior)
  }

  private func answer(
    _ bytes: [UInt8], _ type: String, modified: String, _ wanted: [String: String],
    _ behavior: TestServer.Behavior?
  ) -> TestServer.Answer {
    var (bytes, tag) = (bytes, "\"\(String(bytes.fingerprint, radix: 16))\"")
    var answer = TestServer.Answer()
    switch behavior {
    case .omitsValidators: break
    case .onlyDate: answer.fields = ["Last-Modified: \(modified)"]
    case .onlyTag(let isWeak):
      if isWeak { tag = "W/" + tag }
      answer.fields = ["ETag: \(tag)"]
    case .compresses(let packed) where wanted["accept-encoding"]?.contains("gzip") == true:
      (bytes, tag) = (packed, tag.dropLast() + "-gzip\"")
      answer.fields = ["ETag: \(tag)", "Content-Encoding: gzip", "Vary: Accept-Encoding"]
    default: answer.fields = ["ETag: \(tag)", "Last-Modified: \(modified)"]
    }
    answer.fields.append("Content-Type: \(type)")
    if wanted["if-none-match"].map({ $0 == tag }) ?? (wanted["if-modified-since"] == modified) {
      answer.status = 304
      return answer
    }
    answer.body = bytes
    if case .ignoresRanges = behavior { return answer }
    answer.fields.append("Accept-Ranges: bytes")
    guard let range = wanted["range"]?.wholeMatch(of: /bytes=(\d+)-(\d*)/), let first = Int(range.1)
    else { return answer }
    if let validator = wanted["if-range"], validator != tag, validator != modified {
      guard case .ignoresIfRange = behavior else { return answer }
    }
    var shift = 0
    if case .shiftsRanges(let count) = behavior { shift = count }
    answer.cut(from: first, to: Int(range.2), shiftedBy: shift)
    return answer
  }

  private func modified(_ file: URL) -> String {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    return date(attributes?[.modificationDate] as? Date ?? .distantPast, "EEE, dd MMM yyyy HH:mm:ss 'GMT'")
  }

  /// Nil for a missing or hidden file and for one outside the folder.
  private func file(at path: String, _ isHidden: (String) -> Bool) -> URL? {
    let parts = path.split(separator: "/").map(String.init)
    guard !isHidden(path), !parts.contains("..") else { return nil }
    var url = url
    for part in parts {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
      guard
        let name = names.first(where: { ignoresCase ? $0.lowercased() == part.lowercased() : $0 == part })
      else { return nil }
      url.append(path: name)
    }
    return url
  }

  /// In the form of Microsoft's IIS.
  private func listing(of folder: URL, at path: String, _ isHidden: (String) -> Bool) -> String {
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

extension TestServer.Answer {
  fileprivate mutating func cut(from first: Int, to last: Int?, shiftedBy shift: Int) {
    let count = body.count
    guard first < count else {
      (status, body) = (416, [])
      return fields.append("Content-Range: bytes */\(count)")
    }
    let first = max(0, first - shift)
    let end = max(first, min(last ?? .max, count - 1))
    (status, body) = (206, Array(body[first...end]))
    fields.append("Content-Range: bytes \(first)-\(end)/\(count)")
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
