internal import CZip

extension ZipArchive {
  /// The version of the library that is linked.
  public static var libraryVersion: String { String(cString: zip_libzip_version()) }
}
