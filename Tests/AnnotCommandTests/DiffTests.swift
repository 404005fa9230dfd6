import TestSupport
import Testing

private func record(_ kind: String, _ sel: String, _ line: Int, _ more: String = "") -> String {
  #"{"kind":"\#(kind)","cls":"Cart","sel":"\#(sel)","module":"C"\#(more),"file":"a.c","line":\#(line)}"#
}

@Suite("annot diff")
struct DiffTests {
  private let annot: CommandRunner
  private let old: String
  private let new: String

  init() throws {
    annot = try CommandRunner()
    old = try annot.file(
      "old.so",
      [
        record("needlogin", "add", 1), record("needlogin", "drop", 2),
        record("track", "pay", 3, #","event":"paid""#),
        record("shop.cache", "list", 4, #","seconds":9"#), record("joinpoint", "add", 5),
      ])
    new = try annot.file(
      "new.so",
      [
        record("needlogin", "add", 11), record("track", "pay", 3, #","event":"sold""#),
        record("shop.cache", "list", 4, #","seconds":60,"scope":"a|`b`""#), record("joinpoint", "add", 5),
      ])
  }

  @Test("tells what was removed, added and changed; a moved line is none")
  func text() throws {
    let result = try annot("diff", old, new)
    #expect(
      result.output == """
        - needlogin  C/Cart.drop  a.c:2
        ~ shop.cache  C/Cart.list  scope=– → "a|`b`"  seconds=9 → 60  a.c:4
        - track  C/Cart.pay  event="paid"  a.c:3
        + track  C/Cart.pay  event="sold"  a.c:3
        2 removed, 1 added, 1 changed

        """)
    #expect(result.errors == "" && result.status == 1)
  }

  @Test("has status 0 when all is the same, in whatever order")
  func same() throws {
    let turned = try annot.file(
      "turned.so",
      [
        record("joinpoint", "add", 50), record("track", "pay", 3, #","event":"paid""#),
        record("needlogin", "drop", 2), record("needlogin", "add", 1),
        record("shop.cache", "list", 4, #","seconds":9"#),
      ])
    let result = try annot("diff", old, turned)
    #expect(result.output == "no differences\n" && result.status == 0)
    #expect(try annot("diff", "-f", "markdown", old, turned).output == "**Annotations:** no differences\n")
    let moved = try annot("diff", "--moved", old, turned)
    #expect(moved.output == "> joinpoint  C/Cart.add  a.c:5 → a.c:50\n1 moved\n" && moved.status == 1)
  }

  @Test("compares only what is asked for")
  func filtered() throws {
    #expect(
      try annot("diff", "-k", "needlogin", old, new).output == "- needlogin  C/Cart.drop  a.c:2\n1 removed\n")
    #expect(try annot("diff", "-k", "joinpoint", old, new).status == 0)
    #expect(try annot("diff", "--only", "added", old, new).output.hasPrefix("+ track  C/Cart.pay"))
    #expect(
      try annot("diff", "-o", "removed", "-o", "changed", old, new).output.hasSuffix("2 removed, 1 changed\n")
    )
    #expect(
      try annot("diff", "--only", "moved", old, new).output
        == "> needlogin  C/Cart.add  a.c:1 → a.c:11\n1 moved\n")
    #expect(try annot("diff", "-k", "track", "--only", "changed", old, new).status == 0)
  }

  @Test("keeps records of one target apart")
  func multiset() throws {
    let one = try annot.file(
      "one.so", [record("x.y", "a", 1, #","n":1"#), record("x.y", "a", 2, #","n":2"#)])
    let two = try annot.file(
      "two.so",
      [
        record("x.y", "a", 1, #","n":2"#), record("x.y", "a", 2, #","n":3"#),
        record("x.y", "a", 3, #","n":4"#),
      ])
    #expect(
      try annot("diff", one, two).output == """
        ~ x.y  C/Cart.a  n=1 → 3  a.c:1 → a.c:2
        + x.y  C/Cart.a  n=4  a.c:3
        1 added, 1 changed

        """)
  }

  @Test("writes Markdown that nothing in a record can escape from")
  func markdown() throws {
    let result = try annot("diff", "-f", "markdown", old, new)
    #expect(
      result.output == #"""
        **Annotations:** 2 removed, 1 added, 1 changed

        | | Kind | Target | Place | Members |
        |---|---|---|---|---|
        | removed | `needlogin` | `C/Cart.drop` | `a.c:2` |  |
        | removed | `track` | `C/Cart.pay` | `a.c:3` | `event="paid"` |
        | added | `track` | `C/Cart.pay` | `a.c:3` | `event="sold"` |
        | changed | `shop.cache` | `C/Cart.list` | `a.c:4` | ``scope=– → "a\|`b`"``<br>`seconds=9 → 60` |

        """#)
    let many = (0..<2000).map { record("needlogin", "method\($0)", $0 + 1) }
    let large = try annot("diff", "-f", "markdown", old, try annot.file("many.so", many))
    #expect(large.output.utf8.count < 65_536 && large.output.contains(" more\n"))
  }

  @Test("writes JSON")
  func json() throws {
    let result = try annot("diff", "-f", "json", "-k", "needlogin", old, new)
    #expect(
      result.output == #"""
        {"version":1,"old":"DIR/old.so","new":"DIR/new.so","changes":[
        {"change":"removed","old":{"file":"DIR/old.so","section":"annot","offset":81,"record":\#(record("needlogin", "drop", 2))}}
        ],"counts":{"removed":1,"added":0,"changed":0,"moved":0},"diagnostics":[]}

        """#)
    let changed = try annot("diff", "-f", "json", "-k", "shop.*", old, new)
    #expect(changed.output.contains(#""members":["scope","seconds"]}"#))
  }

  @Test("compares directories by the paths below them")
  func directories() throws {
    let root = annot.directory.path
    _ = try run("/bin/mkdir", ["-p", "\(root)/one/lib", "\(root)/two/lib"])
    try annot.directory.write("text", to: "one/text")
    try annot.directory.write(try bytes(ofFile: old), to: "one/lib/a.so")
    try annot.directory.write(try bytes(ofFile: new), to: "two/lib/a.so")
    try annot.directory.write(ELFFixture(records: [record("needlogin", "z", 9)]).bytes, to: "two/b.so")
    let result = try annot("diff", "-k", "needlogin", "\(root)/one", "\(root)/two/")
    #expect(
      result.output == """
        b.so:
        + needlogin  C/Cart.z  a.c:9
        lib/a.so:
        - needlogin  C/Cart.drop  a.c:2
        1 removed, 1 added

        """)
    #expect(result.errors == "" && result.status == 1)
    let some = try annot("diff", "-x", "lib/", "-x", "b.*", "\(root)/one", "\(root)/two")
    #expect(some.output == "no differences\n")
    #expect(
      try annot("diff", "-f", "json", "\(root)/one", "\(root)/two").output.contains(#""path":"lib/a.so""#))
    #expect(
      try annot("diff", "-f", "markdown", "\(root)/one", "\(root)/two").output.contains("| `lib/a.so` |"))
  }

  @Test("has status 2 when something cannot be compared")
  func trouble() throws {
    let broken = try annot.file("broken.so", ["{"])
    let result = try annot("diff", broken, broken)
    #expect(
      result.errors.contains("malformed record") && result.output == "no differences\n" && result.status == 2)
    let missing = try annot("diff", old, annot.directory.path(of: "missing"))
    #expect(missing.errors == "annot: DIR/missing: No such file or directory\n" && missing.status == 2)
    #expect(
      try annot("diff", old).errors.hasPrefix("annot: two files or directories are needed, OLD and NEW\n"))
    #expect(
      try annot("diff", old, annot.directory.path).errors.contains(
        "a file and a directory cannot be compared"))
  }
}
