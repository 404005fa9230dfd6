internal import AnnotationRecords

/// The page of `annot report`: one HTML file that needs nothing else and reaches for nothing.
struct ReportPage {
  let title: String
  let files: [ELFAnnotations]
  /// What is shown of the files' records.
  let records: [AnnotationRecord]
  let check: CheckReport

  /// Writes the page.
  func write(to output: inout Output) {
    output.write(head)
    output.write(summary)
    output.write(findings)
    if !records.isEmpty {
      output.write("<h2>Modules, classes and annotations</h2>\n<div class=\"wide\">\n")
      output.write(ReportPicture(records, kinds: kinds.map(\.name)).svg)
      output.write("</div>\n")
    }
    output.write(tableHead)
    for record in records { output.write(row(record)) }
    output.write("</tbody>\n</table>\n</div>\n<script>")
    output.write(ReportScript.text)
    output.write("</script>\n</body>\n</html>\n")
  }

  private var head: String {
    // Nothing but this page's own style and script may be used, whatever gets into it.
    let policy =
      "default-src 'none'; style-src 'sha256-\(ReportStyle.hash)'; script-src 'sha256-\(ReportScript.hash)'; "
      + "base-uri 'none'; form-action 'none'"
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="generator" content="annot \(CommandTable.version)">
      <title>\(html(title))</title>
      <style>\(ReportStyle.text)</style>
      </head>
      <body>
      <h1>\(html(title))</h1>

      """
  }

  private typealias Count = (name: String, count: Int)

  private var kinds: [Count] { counts(records.map(\.kind)) }

  /// How often each name is there, the most frequent first.
  private func counts(_ names: [String]) -> [Count] {
    names.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
  }

  private var summary: String {
    let modules = counts(records.map { $0.module.map(moduleName) ?? "–" })
    let places = counts(records.map(\.source.image))
    let rows = files.map { file in
      (name: file.path, count: places.first { $0.name == file.path }?.count ?? 0)
    }
    let number = "\(records.count) annotation\(records.count == 1 ? "" : "s")"
    return "<p>\(number) in \(files.count) file\(files.count == 1 ? "" : "s")</p>\n<div class=\"side\">\n"
      + table("Kinds", "Kind", kinds) + table("Modules", "Module", modules) + table("Files", "File", rows)
      + "</div>\n"
  }

  private func table(_ title: String, _ heading: String, _ rows: [Count]) -> String {
    let cells = rows.map { "<tr><td>\(html($0.name))</td><td class=\"number\">\($0.count)</td></tr>\n" }
      .joined()
    return "<section>\n<h2>\(title)</h2>\n<table>\n<thead><tr><th scope=\"col\">\(heading)</th>"
      + "<th scope=\"col\">Annotations</th></tr></thead>\n<tbody>\n\(cells)</tbody>\n</table>\n</section>\n"
  }

  private var findings: String {
    let unread = check.diagnostics.unreadable.map { unreadable in
      "<li><strong class=\"error\">unreadable</strong> <code>\(html(unreadable.file))</code>: "
        + "\(html(unreadable.reason))</li>\n"
    }
    let items = check.findings.filter { $0.rule != .unreadable }.map(item)
    if unread.isEmpty && items.isEmpty { return "<h2>Findings</h2>\n<p>Nothing is amiss.</p>\n" }
    return "<h2>Findings</h2>\n<ul class=\"findings\">\n\((unread + items).joined())</ul>\n"
  }

  private func item(_ finding: Finding) -> String {
    var place = finding.place.map { $0.member.map { "\($0) of " } ?? "" + $0.file } ?? ""
    if let offset = finding.place?.offset { place += ", offset \(offset)" }
    if let record = finding.record {
      place = record.file.map { $0 + (record.line.map { ":\($0)" } ?? "") } ?? record.source.image
    }
    var text = "<li><strong class=\"\(finding.level.rawValue)\">\(finding.level.rawValue)</strong> "
    if !place.isEmpty { text += "<code>\(html(place))</code>: " }
    text += "\(html(finding.message)) <span class=\"note\">[\(finding.rule.rawValue)]</span>"
    if !finding.near.isEmpty { text += "<p>near: \(finding.near.map(html).joined(separator: ", "))</p>" }
    if let mend = finding.mend { text += "<p>\(html(HelpText.capitalized(mend))).</p>" }
    return text + "</li>\n"
  }

  private static let columns = ["Kind", "Class", "Selector", "Module", "Place", "Members", "File"]

  private var tableHead: String {
    let headings = Self.columns.map { "<th scope=\"col\" data-name=\"\($0.lowercased())\">\($0)</th>" }
    return """
      <h2>Annotations</h2>
      <div class="tools"><label>Search <input id="search" type="search" autocomplete="off"></label>
      <span><output id="shown"></output> shown</span></div>
      <div class="wide">
      <table id="annotations">
      <thead><tr>\(headings.joined())</tr></thead>
      <tbody>

      """
  }

  private func row(_ record: AnnotationRecord) -> String {
    let place = record.file.map { $0 + (record.line.map { ":\($0)" } ?? "") } ?? ""
    let source = record.source
    let file = source.member.map { "\(source.image)(\($0))" } ?? source.image
    let cells = [record.kind, record.cls ?? "", record.signedSelector ?? "", record.module ?? "", place]
    return "<tr>" + cells.map { "<td>\(html($0))</td>" }.joined()
      + "<td>\(members(of: record))</td><td>\(html(file))</td></tr>\n"
  }

  private func members(of record: AnnotationRecord) -> String {
    var others: [String] = []
    record.forEachMember { member in
      if !membersInColumns.contains(member.name) {
        others.append("\(html(member.name))=\(html(member.plain))")
      }
      return true
    }
    return others.joined(separator: "<br>")
  }
}
