import Foundation
import TestSupport
import Testing

private func point(_ cls: String, _ sel: String, module: String = "C", line: Int = 90, _ more: String = "")
  -> String
{
  #"{"kind":"joinpoint","cls":"\#(cls)","sel":"\#(sel)","module":"\#(module)"\#(more),"file":"p.c","line":\#(line)}"#
}

private func login(_ cls: String, _ sel: String, module: String = "C", line: Int = 5) -> String {
  #"{"kind":"needlogin","cls":"\#(cls)","sel":"\#(sel)","module":"\#(module)","file":"a.c","line":\#(line)}"#
}

@Suite("annot check")
struct CheckTests {
  let annot: CommandRunner

  init() throws { annot = try CommandRunner() }

  private func check(_ records: [String], _ arguments: String...) throws -> ProcessResult {
    let path = try annot.file("a.so", records)
    return annot.placed(try run(annot.annot, ["check"] + arguments + [path]))
  }

  /// What is found but for the last line, without where the records are and what to do.
  private func found(_ records: [String], _ arguments: String...) throws -> String {
    let path = try annot.file("a.so", records)
    let result = try run(annot.annot, ["check"] + arguments + [path])
    let lines = result.output.split(separator: "\n").dropLast()
    #expect(result.status == (lines.contains { $0.contains("error: ") || $0.contains("warning: ") } ? 1 : 0))
    return lines.filter { !$0.hasPrefix("  in: ") && !$0.hasPrefix("  mend: ") }.joined(separator: "\n")
  }

  @Test("is content with sound annotations, and counts them")
  func sound() throws {
    let result = try check([login("Router", "open"), point("Router", "open")])
    #expect(
      result.output == "0 errors, 0 warnings; 2 annotations in 1 file: joinpoint 1, needlogin 1\n")
    #expect(result.errors == "" && result.status == 0)
  }

  @Test("tells the place, the file and the mend of what it finds")
  func tellsPlace() throws {
    let result = try check([login("Routr", "open"), point("Router", "open")])
    #expect(
      result.output == """
        a.c:5: error: no class 'Routr' has a join point in the given files [no-join-point]
          in: DIR/a.so: offset 0
          near: Router
          mend: correct the name, make the method a join point (ANNOT_METHOD), give the file that has it too, or name it with --elsewhere
        1 error, 0 warnings; 2 annotations in 1 file: joinpoint 1, needlogin 1

        """)
    #expect(result.status == 1)
  }

  @Test("finds targets that are misspelt, and lists the near ones")
  func misspelt() throws {
    let points = [
      point("Account", "transfer(to:amount:)", module: "Bank"), point("Account", "balance()", module: "Bank"),
      point("Account", "open()", module: "Bank", #","static":true"#),
    ]
    func one(_ cls: String, _ sel: String, _ module: String = "Bank") throws -> String {
      try found(points + [login(cls, sel, module: module)])
    }
    #expect(try one("Account", "transfer") == "")
    #expect(try one("Account", "transfer:amount:").contains("near: Account.transfer(to:amount:)"))
    #expect(try one("Account", "transfer(to:)").contains("near: Account.transfer(to:amount:)"))
    #expect(
      try one("Account", "balence")
        == "a.c:5: error: class 'Account' has no join point 'balence' [no-join-point]\n  near: Account.balance()"
    )
    #expect(try one("Acount", "balance").contains("\n  near: Account"))
    #expect(
      try one("Account", "balance", "Bnak")
        == "a.c:5: error: module 'Bnak' has no join point 'Account.balance', but module 'Bank' has [no-join-point]"
    )
    #expect(try one("Account", "balance", "OC").contains("module 'OC' has no join point"))
    #expect(try one("Account", "+open") == "" && one("Account", "open()") == "")
    #expect(
      try one("Account", "-open")
        == "a.c:5: error: '-open' asks for a method of an instance, and 'Account.+open()' is one of the class [no-join-point]"
    )
    // OC is an old name of C.
    #expect(try found([point("Router", "open"), login("Router", "open", module: "OC")]) == "")
  }

  @Test("only notes targets that are said to be elsewhere")
  func elsewhere() throws {
    let record = login("Plugin", "run")
    let expected = "a.c:5: note: 'Plugin.run' is in a file that was not given [elsewhere]"
    for pattern in ["Plugin", "Plug*.run", "C/Plugin.*"] {
      #expect(try found([record], "--elsewhere", pattern) == expected)
    }
    #expect(try found([record], "--elsewhere", "Shop/Plugin").contains("error: "))
    #expect(try found([record], "--elsewhere", "Plugin.stop").contains("error: "))
  }

  @Test("looks for targets in all files together")
  func together() throws {
    let (one, two) = (
      try annot.file("one.so", [login("A", "b")]), try annot.file("two.so", [point("A", "b")])
    )
    #expect(try annot("check", one).status == 1)
    #expect(try annot("check", one, two).status == 0)
  }

  @Test("takes a directory for all ELF files below it")
  func directories() throws {
    _ = try run("/bin/mkdir", ["-p", "\(annot.directory.path)/build/lib", "\(annot.directory.path)/empty"])
    try annot.directory.write(ELFFixture(records: [login("A", "b")]).bytes, to: "build/a")
    try annot.directory.write(ELFFixture(records: [point("A", "b")]).bytes, to: "build/lib/b.so")
    try annot.directory.write("#!/bin/sh\n", to: "build/script")
    let build = annot.directory.path(of: "build")
    let result = try annot("check", build)
    #expect(
      result.output.hasSuffix("2 annotations in 2 files: joinpoint 1, needlogin 1\n") && result.status == 0)
    #expect(try annot("check", "--exclude", "lib", build).output.contains("[no-join-point]"))
    #expect(try annot("report", build).output.contains("<p>2 annotations in 2 files</p>"))
    let empty = try annot("check", annot.directory.path(of: "empty"))
    #expect(
      empty.errors == "annot: DIR/empty: there is no ELF file below this directory\n" && empty.status == 2)
  }

  @Test("finds malformed records beside sound ones, and parts that cannot be read")
  func malformed() throws {
    let result = try check(["{", login("A", "b"), point("A", "b")])
    #expect(
      result.output.hasPrefix(
        "DIR/a.so: offset 0: error: malformed record: not valid JSON, at byte 1 of it [malformed-record]\n"))
    #expect(result.errors == "" && result.status == 1)
    let missing = try annot("check", annot.directory.path(of: "missing"))
    #expect(missing.errors == "annot: DIR/missing: cannot be opened: No such file or directory\n")
    #expect(missing.output == "0 errors, 0 warnings; 0 annotations in 0 files\n" && missing.status == 2)
  }

  @Test("finds members of built-in kinds that are missing, misspelt or of a wrong type")
  func members() throws {
    func one(_ members: String) throws -> String {
      try found(["{\"kind\":\(members),\"file\":\"a.c\",\"line\":5}"])
    }
    #expect(
      try one(#""service","protocol":"P""#)
        == "a.c:5: error: a record of kind 'service' lacks the member 'implementation' [missing-member]")
    #expect(
      try one(#""service","protocol":"","implementation":"x""#)
        == "a.c:5: error: the member 'protocol' of kind 'service' is \"\", and must be a string that is not empty [member-type]"
    )
    #expect(
      try one(#""module","cls":"P","module":"S","level":1.5,"prority":1"#)
        == """
        a.c:5: error: the member 'level' of kind 'module' is 1.5, and must be an integer [member-type]
        a.c:5: warning: kind 'module' knows no member 'prority' [unknown-member]
          near: priority
        """)
    #expect(
      try one(#""class","cls":"P","module":"S","color":"red""#)
        == "a.c:5: note: kind 'class' knows no member 'color' [unknown-member]")
    #expect(try one(#""tweak","name":"a","type":"int","default":1.0"#) == "")
    #expect(
      try one(#""tweak","name":"a","type":"int","default":true"#).contains("must be a value of the type"))
    #expect(
      try one(#""tweak","name":"a","type":"number","default":1"#).contains("one of bool, int, float, text"))
    #expect(
      try one(#""tweak","name":"a","type":"int","default":1,"min":0"#).contains("only one of 'min' and 'max'")
    )
    #expect(
      try one(#""tweak","name":"a","type":"int","default":9,"min":0,"max":5"#).contains(
        "outside of its limits"))
    #expect(
      try one(#""tweak","name":"a","type":"text","default":"","min":0,"max":5"#).contains(
        "no 'min' and 'max'"))
    #expect(
      try one(#""NeedLogin","cls":"A""#)
        == "a.c:5: warning: there is no built-in kind 'NeedLogin' [unknown-kind]\n  near: needlogin")
    #expect(try one(#""shop.needlogin","cls":"A""#) == "" && one(#""cache","cls":"A""#) == "")
  }

  @Test("finds annotations that contradict or repeat each other")
  func repeats() throws {
    func service(_ implementation: String, _ line: Int) -> String {
      #"{"kind":"service","protocol":"P","implementation":"\#(implementation)","file":"a.c","line":\#(line)}"#
    }
    #expect(
      try check([service("A", 1), service("B", 2)]).output.hasPrefix(
        """
        a.c:2: error: this 'service' of 'P' says something else than another one does [conflict]
          in: DIR/a.so: offset 77
          other: a.c:1
          mend: keep one of them

        """))
    #expect(
      try found([service("A", 1), service("A", 2)])
        == "a.c:2: warning: 'P' is annotated with this 'service' twice [duplicate]\n  other: a.c:1")
    let points = [point("A", "b", line: 1), point("A", "b", line: 2)]
    #expect(try found([service("A", 1), service("A", 1)]) == "")
    #expect(try found([login("A", "b", line: 1), login("A", "b", line: 2)] + points) == "")
    #expect(
      try found([login("A", "b", line: 1), login("A", "b", line: 2), points[0]]).contains("[duplicate]"))
    // One file linked into another is no repetition.
    let (one, two) = (try annot.file("one.o", [service("A", 1)]), try annot.file("two.so", [service("A", 1)]))
    #expect(try annot("check", one, two).status == 0)
  }

  @Test("shows text from files escaped")
  func hostile() throws {
    let result = try check([
      #"{"kind":"needlogin","cls":"\u001b[31m","sel":"\n","module":"C","file":"\u202e","line":1}"#
    ])
    #expect(result.output.hasPrefix(#"\u{202E}:1: error: no class '\u{1B}[31m' has a join point"#))
    let colored = try annot.onTerminal("check", annot.directory.path(of: "a.so"))
    #expect(colored.output.contains("\u{1B}[31merror\u{1B}[0m: no class '\\u{1B}[31m'"))
  }
}

@Suite("annot check, told what to expect")
struct ExpectationTests {
  let annot: CommandRunner
  let path: String

  init() throws {
    annot = try CommandRunner()
    path = try annot.file(
      "a.so",
      [
        login("Account", "close"), login("Account", "transfer:to:"), point("Account", "close"),
        point("Account", "transfer(_:to:)"), point("Account", "show", line: 91), point("Router", "open"),
      ])
  }

  private func check(_ arguments: String...) throws -> ProcessResult {
    annot.placed(try run(annot.annot, ["check"] + arguments + [path]))
  }

  @Test("compares numbers of annotations")
  func counts() throws {
    for arguments in [
      ["--expect", "6"], ["--expect", ">=5"], ["--expect-kind", "needlogin=2"],
      ["--expect-kind", "needlogin>=1", "--expect-kind", "track=0"],
    ] {
      #expect(try run(annot.annot, ["check"] + arguments + [path]).status == 0, "\(arguments)")
    }
    let lost = try check("--expect-kind", "needlogin=3")
    #expect(
      lost.output.hasPrefix(
        """
        annot: error: there are 2 annotations of kind 'needlogin', and 3 are expected [count]
          mend: look for what was lost with 'annot diff'; object files of a static library that nothing refers to are \
        not linked (-Wl,--whole-archive links them)

        """))
    #expect(lost.status == 1)
    #expect(try check("--expect", "5").output.contains("there are 6 annotations, and 5 are expected"))
    #expect(try check("--expect", ">=7").output.contains("and at least 7 are expected"))
    #expect(try check("--expect-kind", "needlogn=2").output.contains("near: needlogin"))
  }

  @Test("asks for annotations of all targets that match")
  func requires() throws {
    let result = try check("--require", "needlogin: Account.*")
    #expect(
      result.output.hasPrefix(
        """
        p.c:91: error: 'Account.show' has no annotation of kind 'needlogin', which 'needlogin: Account.*' requires [required]
          in: DIR/a.so
        """))
    #expect(result.output.contains("1 error, ") && result.status == 1)
    for pattern in [
      "Account.close", "Account.transfer", "Account.transfer(_:to:)", "C/Acc*.[ct]*", "*.close",
    ] {
      let status: Int32 = pattern.contains("[") ? 1 : 0
      #expect(try check("--require", "needlogin:\(pattern)").status == status, "\(pattern)")
    }
    let nothing = try check("--require", "needlogin: Acount")
    #expect(
      nothing.output.contains(
        "error: nothing matches 'Acount' of 'needlogin: Acount' [required]\n  near: Account"))
  }

  @Test("does not understand everything")
  func misunderstood() throws {
    for (option, value, message) in [
      ("--expect", "many", "option '--expect' needs N or '>=N', not 'many'"),
      ("--expect-kind", "needlogin", "option '--expect-kind' needs KIND=N or 'KIND>=N', not 'needlogin'"),
      ("--require", "Account.*", "option '--require' needs 'KIND: TARGET', not 'Account.*'"),
    ] {
      let result = try check(option, value)
      #expect(result.errors == "annot: \(message)\nannot: try 'annot check --help'\n" && result.status == 2)
    }
  }
}

@Suite("annot check --schema")
struct SchemaTests {
  let annot: CommandRunner

  init() throws { annot = try CommandRunner() }

  private func check(_ schema: String, _ record: String) throws -> ProcessResult {
    let path = try annot.directory.write(schema, to: "schema.json")
    return try annot("check", "--schema", path, try annot.file("a.so", [record]))
  }

  @Test(
    "finds records that are not what their kind's schema asks for",
    arguments: [
      (#"{"type":"object"}"#, ""), ("true", ""), ("false", "the record of kind 'k' is not allowed"),
      (#"{"required":["a","z"]}"#, "the member 'z' of kind 'k' is missing"),
      (
        #"{"properties":{"a":{"type":"string"}}}"#,
        "the member 'a' of kind 'k' is of type number, and string is asked for"
      ),
      (#"{"properties":{"a":{"type":["integer","null"]}}}"#, ""),
      (#"{"properties":{"a":{"minimum":8}}}"#, "the member 'a' of kind 'k' is 7, less than 8"),
      (#"{"properties":{"a":{"maximum":6.5}}}"#, "the member 'a' of kind 'k' is 7, more than 6.5"),
      (#"{"properties":{"a":{"enum":[1,"x",7.0]}}}"#, ""),
      (
        #"{"properties":{"a":{"enum":[1,"x"]}}}"#,
        #"the member 'a' of kind 'k' is 7, and 1 or "x" is asked for"#
      ),
      (
        #"{"properties":{"b":{"const":"yes"}}}"#,
        #"the member 'b' of kind 'k' is "no", and "yes" is asked for"#
      ),
      (#"{"properties":{"b":{"maxLength":1}}}"#, "the member 'b' of kind 'k' has 2 characters, more than 1"),
      (
        #"{"properties":{"c":{"items":{"type":"integer"}}}}"#,
        "the member 'c[1]' of kind 'k' is of type string, and integer is asked for"
      ),
      (#"{"properties":{"c":{"minItems":3}}}"#, "the member 'c' of kind 'k' has 2 items, less than 3"),
      (
        #"{"properties":{"kind":true,"a":true,"b":true,"file":true,"line":true},"additionalProperties":false}"#,
        "the member 'c' of kind 'k' is not allowed"
      ),
      (#"{"title":"t","description":"d","$comment":"c"}"#, ""),
    ])
  func finds(schema: String, message: String) throws {
    let record = #"{"kind":"k","a":7,"b":"no","c":[1,"x"],"file":"a.c","line":1}"#
    let result = try check(#"{"$defs":{"k":\#(schema)}}"#, record)
    #expect(result.errors == "" && result.status == (message.isEmpty ? 0 : 1))
    let first = result.output.split(separator: "\n").first.map(String.init) ?? ""
    #expect(message.isEmpty || first == "a.c:1: error: \(message) [schema]", "\(first)")
  }

  @Test(
    "refuses files that are no such schemas",
    arguments: [
      ("", "line 1, column 1: not JSON: a value is missing at the end"),
      (
        "{\n  \"$defs\": {\"a\" 1}}",
        "line 2, column 17: not JSON: a colon is expected behind a member's name"
      ),
      ("{}", "the schemas are looked for in an object '$defs', by the names of kinds"),
      (#"{"$defs":{"k":{"pattern":"x"}}}"#, "#/$defs/k/pattern: the keyword 'pattern' is not known here"),
      (
        #"{"$defs":{"k":{"type":"text"}}}"#,
        "#/$defs/k/type: there is no type 'text': array, boolean, integer, null, number, object and string are known"
      ),
      (#"{"$defs":{"k":{"required":"a"}}}"#, "#/$defs/k/required: an array of strings is expected"),
      (#"{"$defs":{"k":{},"k":{}}}"#, "line 1, column 21: not JSON: the object has two members 'k'"),
    ])
  func refuses(schema: String, message: String) throws {
    let result = try check(schema, #"{"kind":"k"}"#)
    #expect(result.errors == "annot: DIR/schema.json: \(message)\n")
    #expect(result.output == "" && result.status == 2)
  }

  @Test("says when the file cannot be read")
  func unreadable() throws {
    let result = try annot("check", "--schema", annot.directory.path(of: "none"), try annot.file("a.so", []))
    #expect(
      result.errors == "annot: DIR/none: cannot be read: No such file or directory\n" && result.status == 2)
  }
}

@Suite("annot check's formats")
struct CheckFormatTests {
  let annot: CommandRunner
  let path: String

  init() throws {
    annot = try CommandRunner()
    path = try annot.file("a b.so", [login("Routr", "open"), point("Router", "open"), "{"])
  }

  @Test("JSON has findings, numbers and diagnostics")
  func json() throws {
    let result = try annot("check", "-f", "json", path, annot.directory.path(of: "missing"))
    #expect(
      result.output == #"""
        {"version":1,"findings":[
        {"rule":"malformed-record","level":"error","message":"malformed record: not valid JSON, at byte 1 of it","file":"DIR/a b.so","section":"annot","offset":168},
        {"rule":"no-join-point","level":"error","message":"no class 'Routr' has a join point in the given files","mend":"correct the name, make the method a join point (ANNOT_METHOD), give the file that has it too, or name it with --elsewhere","near":["Router"],"file":"DIR/a b.so","section":"annot","offset":0,"record":\#(login("Routr", "open"))}
        ],"counts":{"files":1,"errors":2,"warnings":0,"notes":0,"kinds":{"joinpoint":1,"needlogin":1}},"diagnostics":[
        {"severity":"unreadable","file":"DIR/missing","reason":"cannot be opened: No such file or directory"}
        ]}

        """#)
    #expect(result.status == 2)
  }

  @Test("SARIF has the shape that version 2.1.0 requires")
  func sarif() throws {
    let result = try annot("check", "-f", "sarif", "--expect", "9", path, annot.directory.path(of: "missing"))
    let log = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(log["version"] as? String == "2.1.0")
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
    #expect(driver["name"] as? String == "annot")
    let rules = try #require(driver["rules"] as? [[String: Any]]).compactMap { $0["id"] as? String }
    #expect(Set(rules).count == rules.count)
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.count == 3)
    for result in results {
      let index = try #require(result["ruleIndex"] as? Int)
      #expect(rules[index] == result["ruleId"] as? String)
      #expect(((result["message"] as? [String: Any])?["text"] as? String)?.isEmpty == false)
      #expect(["error", "warning", "note"].contains(result["level"] as? String))
    }
    func location(_ result: [String: Any]) -> [String: Any]? {
      (result["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any]
    }
    let binary = try #require(
      (location(results[0])?["artifactLocation"] as? [String: Any])?["uri"] as? String)
    #expect(binary.hasPrefix("file://DIR") && binary.hasSuffix("/a%20b.so"))
    let source = try #require(location(results[1]))
    #expect((source["artifactLocation"] as? [String: Any])?["uri"] as? String == "a.c")
    #expect((source["region"] as? [String: Any])?["startLine"] as? Int == 5)
    let invocation = try #require((run["invocations"] as? [[String: Any]])?.first)
    #expect(invocation["executionSuccessful"] as? Bool == false)
    #expect((invocation["toolExecutionNotifications"] as? [Any])?.count == 1)
  }
}
