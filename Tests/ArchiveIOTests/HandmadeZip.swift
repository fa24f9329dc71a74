/// A zip written byte by byte, so that it can hold what a proper writer refuses to write.
struct HandmadeZip {
  struct Member {
    var name: [UInt8]
    var bytes: [UInt8]
    var declaredSize: UInt32?
    var isEncrypted = false
    /// What it has lies in the bytes of the member before it.
    var isWithinLast = false

    init(_ name: String, _ bytes: [UInt8] = [1, 2, 3], declaring size: UInt32? = nil) {
      self.name = Array(name.utf8)
      self.bytes = bytes
      declaredSize = size
    }
  }

  var members: [Member]

  /// Stored members, the directory, its end.
  var bytes: [UInt8] {
    var file: [UInt8] = []
    var directory: [UInt8] = []
    for member in members {
      let record = record(of: member)
      let offset = member.isWithinLast ? file.count - record.count : file.count
      if !member.isWithinLast { file += record }
      directory += little32(0x0201_4b50) + little16(20) + common(member)
      directory +=
        little16(0) + little16(0) + little16(0) + little32(0) + little32(UInt32(offset)) + member.name
    }
    let count = little16(UInt16(members.count))
    let end = little32(UInt32(directory.count)) + little32(UInt32(file.count)) + little16(0)
    return file + directory + little32(0x0605_4b50) + little16(0) + little16(0) + count + count + end
  }

  /// A member as it lies in the file.
  func record(of member: Member) -> [UInt8] {
    little32(0x0403_4b50) + common(member) + member.name + member.bytes
  }

  /// What the local header and the directory both say: version, flags (UTF-8 names), method, time, CRC, sizes, lengths.
  private func common(_ member: Member) -> [UInt8] {
    let size = UInt32(member.bytes.count)
    return little16(20) + little16(member.isEncrypted ? 0x801 : 0x800) + little16(0)
      + little16(0) + little16(0x21)
      + little32(crc32(member.bytes)) + little32(size) + little32(member.declaredSize ?? size)
      + little16(UInt16(member.name.count)) + little16(0)
  }

  private func little16(_ value: UInt16) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
  private func little32(_ value: UInt32) -> [UInt8] {
    little16(UInt16(value & 0xffff)) + little16(UInt16(value >> 16))
  }

  private func crc32(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1
      }
    }
  }
}
