import Core
import Foundation
import Pipeline
import Testing

@testable import Fetch

@Suite struct RemoteListingTests {
  private let folder = "https://faa.example/visual/10-29-2026/sectional-files/"

  private func read(_ html: String) -> RemoteListing? { RemoteListing(html: Array(html.utf8), at: folder) }

  @Test func iisIsRead() throws {
    let listing = try #require(
      read(
        """
        <pre><A HREF="/visual/">[To Parent Directory]</A><br><br> 9/30/2026  8:12 AM        &lt;dir&gt; \
        <A HREF="/visual/10-29-2026/sectional-files/PDFs/">PDFs</A><br>10/10/2026 12:14 PM     82123456 \
        <A HREF="/visual/10-29-2026/sectional-files/Dallas-Ft_Worth.zip">Dallas-Ft_Worth.zip</A><br></pre>
        """))
    #expect(listing.fileNames == ["Dallas-Ft_Worth.zip"])
    let entry = try #require(try listing.file("dallas-ft_WORTH.zip"))
    #expect(entry.bytes == 82_123_456)
    #expect(entry.url == folder + "Dallas-Ft_Worth.zip")
    #expect(try listing.folder("pdfs")?.name == "PDFs")
    #expect(try listing.file("PDFs") == nil)
  }

  @Test func nginxAndApacheAreRead() throws {
    let nginx =
      "<a href=\"../\">../</a>\n<a href=\"St_Louis.zip\">St_Louis.zip</a>    13-Oct-2026 08:00    81000000\r\n"
    #expect(try read(nginx)?.file("St_Louis.zip")?.bytes == 81_000_000)
    let apache =
      "<td><a href='New%20York.zip'>New York.zip</a></td><td align=right>2026-10-13 08:00  </td><td> 79M</td>"
    let entry = try #require(try read(apache)?.file("New York.zip"))
    #expect(entry.bytes == nil)
    #expect(entry.url == folder + "New%20York.zip")
  }

  @Test func anotherSpellingIsFoundAndTheExactOnePreferred() throws {
    let links = ["Balt_Wash_Heli.zip", "heli-files/", "A_B.zip", "a b.zip", "C-D.zip", "C_D.zip", "C_D.zip"]
    let listing = try #require(read(links.map { "<a href=\"\($0)\">x</a>" }.joined()))
    #expect(try listing.file("Balt-Wash_Heli.zip")?.name == "Balt_Wash_Heli.zip")
    #expect(try listing.folder("Heli_files")?.name == "heli-files")
    #expect(try listing.file("C_D.zip")?.name == "C_D.zip")
    let fault = #expect(throws: UserError.self) { try listing.file("A-B.zip") }
    #expect(fault?.reason.contains("\"A_B.zip\", \"a b.zip\"") == true, "\(fault?.reason ?? "")")
  }

  /// A page may say what it likes; only what lies in the folder counts.
  @Test(arguments: [
    "https://other.example/visual/10-29-2026/sectional-files/a.zip", "//other.example/a.zip", "../a.zip",
    "../../../etc/passwd", "sub/a.zip", "javascript:alert(1)", "file:///etc/passwd", "?C=M;O=A", "#top", "",
    "/a.zip", ".hidden.zip", "%2e%2e%2fa.zip", "a%2Fb.zip", "a%00.zip", "a%0A.zip", "..\\a.zip",
    "http://faa.example/visual/10-29-2026/sectional-files/a.zip", "a.zip?x=1",
  ])
  func strangeLinksDoNotCount(target: String) {
    let listing = read("<a href=\"\(target)\">a.zip</a>")
    #expect(listing == nil)
  }

  @Test(arguments: [
    "", "<", "<a", "<a href", "<a href=\"a.zip", String(repeating: "<a ", count: 50_000),
    String(repeating: "<", count: 200_000),
    "<a href=\"a.zip\" " + String(repeating: "x", count: 100_000) + ">",
  ])
  func brokenPagesAreNoListings(html: String) {
    let listing = read(html)
    #expect(listing == nil || listing?.fileNames == ["a.zip"])
  }
}
