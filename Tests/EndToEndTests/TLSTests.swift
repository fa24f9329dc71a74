import Foundation
import TestSupport
import Testing

/// A site served by https, with a certificate that only the environment names.
@Suite(.slow, .blocking, .enabled(if: TestEnvironment.has("python3"), "scripts/install-test-dependencies"))
struct TLSTests {
  private let folder = TemporaryFolder()
  private let plain: TestServer

  /// Writes a certificate for localhost, then answers every request with a redirect to its first argument.
  private static let server = """
    import datetime, http.server, ipaddress, ssl, sys
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    today = datetime.datetime.now(datetime.timezone.utc)
    day = datetime.timedelta(days=1)
    certificate = (x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(1).not_valid_before(today - day).not_valid_after(today + day)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), False)
        .add_extension(x509.BasicConstraints(True, None), True).sign(key, hashes.SHA256()))
    pem = serialization.Encoding.PEM
    open("certificate.pem", "wb").write(certificate.public_bytes(pem))
    open("key.pem", "wb").write(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(302)
            self.send_header("Location", sys.argv[1] + self.path)
            self.end_headers()
        def log_message(self, *words): pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain("certificate.pem", "key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    print("port", server.server_port, flush=True)
    server.serve_forever()
    """

  init() throws { plain = try TestServer(serving: folder.url) }

  private func start() async throws -> (server: RunningProgram, url: String) {
    let server = try RunningProgram(
      TestEnvironment.program("python3"), ["-c", Self.server, plain.url], in: folder.url)
    let port = try #require(try await server.line(with: "port ")).dropFirst(5)
    return (server, "https://localhost:\(port)")
  }

  @Test func `the environment's certificates are used, and no redirect leads to http`() async throws {
    let (server, url) = try await start()
    defer { server.send(SIGKILL) }
    let certificate = folder.file("certificate.pem").path
    func verify(_ environment: [String: String]) throws -> Program.Ending {
      try Program().run("verify \(url)", environment: environment)
    }
    let unknown = try verify([:])
    #expect(unknown.status == 1 && !unknown.errors.contains("redirects"), "\(unknown.errors)")
    // The first one has precedence, as for the curl tool.
    for environment in [
      ["CURL_CA_BUNDLE": certificate, "SSL_CERT_FILE": "/etc/hostname"],
      ["CURL_CA_BUNDLE": "", "SSL_CERT_FILE": certificate],
    ] {
      let known = try verify(environment).expect(4)
      #expect(known.output.contains("the server redirects from https to http"), "\(known.output)")
    }
    try verify(["CURL_CA_BUNDLE": folder.file("none").path]).expect(1)
    #expect(plain.requests.isEmpty)

    let client = repositoryRoot.appending(path: "clients/python/chartpipe_client.py").path
    let key = "RWQxKhr7Uj0291K4CuknBQA1QE3uhnSdZsR4WNVONBAUIbv/rTyU9vq/"
    let python = try RunningProgram(
      TestEnvironment.program("python3"), ["-B", client, url, "list", "--key", key],
      environment: ["SSL_CERT_FILE": certificate]
    ).wait()
    #expect(python.errors.contains("the server redirects from https to http"), "\(python.errors)")
    #expect(plain.requests.isEmpty)
  }
}
