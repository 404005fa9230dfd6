import TestSupport
import Testing

@Suite("annot report")
struct ReportTests {
  private let annot: CommandRunner

  init() throws { annot = try CommandRunner() }

  private func page(_ records: [String], _ arguments: String...) throws -> String {
    let path = try annot.file("a.so", records)
    let result = annot.placed(try run(annot.annot, ["report"] + arguments + [path]))
    #expect(result.status == 0 && result.errors == "")
    return result.output
  }

  @Test("has a row for each annotation, numbers, findings and a picture")
  func contents() throws {
    let page = try page([needLogin, track], "--title", "Shop & Co.")
    #expect(page.hasPrefix("<!DOCTYPE html>\n") && page.hasSuffix("</html>\n"))
    #expect(page.contains("<title>Shop &amp; Co.</title>") && page.contains("<h1>Shop &amp; Co.</h1>"))
    #expect(
      page.contains(
        "<tr><td>track</td><td>Router</td><td>open:</td><td>C</td><td>r.c:7</td><td>event=open</td><td>DIR/a.so</td></tr>\n"
      ))
    #expect(page.contains("<tr><td>needlogin</td><td class=\"number\">1</td></tr>"))
    #expect(page.contains("<p>2 annotations in 1 file</p>"))
    #expect(
      page.contains("<code>r.c:3</code>: no class &#39;Router&#39; has a join point in the given files"))
    #expect(page.contains("<title>track 1</title>") && page.contains("<svg viewBox="))
    #expect(try self.page([needLogin, track], "-k", "track").contains("<p>1 annotation in 1 file</p>"))
  }

  @Test("reaches for nothing, and allows only its own style and script")
  func selfContained() throws {
    let page = try page([needLogin])
    for word in ["http:", "https:", "src=", "href=", "url(", "@import", " style=", " onclick="] {
      #expect(!page.contains(word), "\(word)")
    }
    guard let openssl = Toolchain.find("openssl") else { return }
    for (tag, name) in [("style", "ReportStyle"), ("script", "ReportScript")] {
      let text = page.split(separator: "<\(tag)>")[1].split(separator: "</\(tag)>")[0]
      let file = try annot.directory.write(String(text), to: tag)
      let hash = try run("/bin/sh", ["-c", "\(openssl) dgst -sha256 -binary \(file) | \(openssl) base64"])
        .output
      #expect(
        page.contains("\(tag)-src 'sha256-\(hash.split(separator: "\n")[0])'"), "\(name).hash must be \(hash)"
      )
    }
  }

  @Test("keeps hostile text text")
  func hostile() throws {
    let page = try page([
      #"{"kind":"</script><script>alert(1)</script>","cls":"<img src=x>","sel":"\"'&","module":"\u001b]0;\u202e","file":"]]>","line":1,"<b>":"<i>"}"#
    ])
    #expect(page.split(separator: "<script").count == 2 && !page.contains("<img") && !page.contains("<b>"))
    #expect(page.contains("<td>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;</td>"))
    #expect(
      page.contains(
        "<td>&quot;&#39;&amp;</td><td>\\u{1B}]0;\\u{202E}</td><td>]]&gt;:1</td><td>&lt;b&gt;=&lt;i&gt;</td>"))
  }

  @Test("tells of malformed records and of files that cannot be read")
  func trouble() throws {
    let malformed = try annot("report", try annot.file("bad.so", ["{", needLogin]))
    #expect(malformed.status == 1 && malformed.output.contains("malformed record: not valid JSON"))
    let missing = try annot("report", annot.directory.path(of: "missing<"))
    #expect(
      missing.status == 2
        && missing.errors == "annot: DIR/missing<: cannot be opened: No such file or directory\n")
    #expect(missing.output.contains("<code>DIR/missing&lt;</code>: cannot be opened"))
    #expect(try annot("report").errors.hasPrefix("annot: no file is given\n"))
  }

  @Test("draws no more than can be taken in")
  func large() throws {
    let records = (0..<2000).map { #"{"kind":"k\#($0 % 3)","cls":"Class\#($0)","module":"M"}"# }
    let page = try page(records)
    #expect(page.contains("<p>… and 1700 more</p>") && page.split(separator: "<g><title>").count < 700)
    #expect(page.split(separator: "\n").count { $0.hasPrefix("<tr><td>k") && !$0.contains("number") } == 2000)
  }

  @Test("searches and sorts in a browser", .timeLimit(.minutes(3)))
  func browser() throws {
    let result = try run(try sourceDirectory() + "/scripts/check-report", [annot.annot])
    // 77: there is no browser.
    #expect(result.status == 0 || result.status == 77, "\(result.output)\(result.errors)")
  }
}
