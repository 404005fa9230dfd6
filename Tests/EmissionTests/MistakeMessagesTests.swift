import Testing

/// A mistake, and what compilers are made to say about it.
struct Mistake: CustomTestStringConvertible {
  let testDescription: String
  /// What stands at line 3 and after.
  let code: String
  let message: String
  /// The line where the user used the macro.
  let line: Int

  init(_ description: String, _ code: String, says message: String, line: Int = 3) {
    testDescription = description
    self.code = code
    self.message = message
    self.line = line
  }

  private static let plainTokens =
    "annot: a name is written as plain tokens, without quotes and backslashes; for text use ANNOT_TEXT("
  private static let noName =
    "annot: this is no name; if a macro of yours passed it on, it was expanded on the way: "
    + "spell it there, ANNOT_TEXT(key, #argument)"
  private static let oneLiteral =
    "annot: ANNOT_TEXT takes one plain string literal, or a macro that is one: no escapes, no prefix such as "
    + "L or u8, and not two literals side by side"
  private static let integer =
    "annot: ANNOT_INT takes one decimal integer of at most 19 digits: no suffix, no leading 0, no 0x, "
    + "no arithmetic"
  private static let number =
    "annot: ANNOT_FLOAT takes one decimal number such as 0.5, -2 or 1e-3, of at most 24 characters: "
    + "digits on both sides of the point, no suffix, no arithmetic"
  private static let member =
    "annot: each member is written as ANNOT_NAME(key, token), ANNOT_TEXT(key,"
  private static let parameter =
    "annot: write each parameter as (type, name), with a typedef for a type that is a function pointer or "
    + "has a comma; in place of `...` take (va_list, arguments), and call this method from a variadic function"
  private static let symbol =
    "annot: the symbol is an identifier, the function's name in the dynamic symbol table, without quotes or a "
    + "version: puts, or _ZN4Shop4openEi for a function of C++"
  private static let shimParameter =
    "annot: write each parameter as (type, name), with a typedef for a type that is a function pointer or "
    + "has a comma; a function with `...` has no shim, as its arguments cannot be passed on"
  private static let tweak =
    "type is bool or text, or int or float, which may be followed by min and max"

  static let names = [
    Mistake("text for a selector", #"ANNOTATE_NEEDLOGIN(Router, "jump", C);"#, says: plainTokens),
    Mistake("a quote in a name", #"ANNOTATE(k, ANNOT_NAME(key, a"b"));"#, says: plainTokens),
    Mistake("a backslash in a name", #"ANNOTATE_NEEDLOGIN(Router, a\b, C);"#, says: plainTokens),
    Mistake("text for an event", #"ANNOTATE_TRACK(Router, jump, C, "jump");"#, says: plainTokens),
    Mistake("text for a class", #"ANNOTATE_CLASS("A", B);"#, says: plainTokens),
    Mistake("an empty class", "ANNOTATE_NEEDLOGIN(, jump, C);", says: "annot: a name is missing"),
    Mistake("an empty key", "ANNOTATE(k, ANNOT_INT(, 5));", says: "annot: a name is missing"),
    Mistake("no kind", "ANNOTATE();", says: "annot: a name is missing"),
    Mistake(
      "linux expanded by a wrapper",
      "#define MY(c) ANNOTATE_NEEDLOGIN(c, jump, C)\n#define linux 1\nMY(linux);",
      says: noName, line: 5),
    Mistake(
      "NULL expanded by a wrapper",
      "#include <stddef.h>\n#define MY(c) ANNOTATE_NEEDLOGIN(Router, c, C)\nMY(NULL);",
      says: noName, line: 5),
    Mistake(
      "BOOL expanded by a wrapper",
      "#define BOOL signed char\n#define MY(c) ANNOTATE_CLASS(c, Base)\nMY(BOOL);", says: noName, line: 5),
    Mistake("a number for a parameter's name", "ANNOTATE_TRACK(Router, jump, C, e, a, 1);", says: noName),
    Mistake(
      "a key of the macro's own", "ANNOTATE(k, ANNOT_INT(line, 5));",
      says: "annot: the members kind, file and line are written by the macro; choose another key"),
    Mistake(
      "a key twice", "ANNOTATE_NEEDLOGIN(A, b, C, ANNOT_NAME(sel, x));",
      says: "annot: two members of this record have the same key"),
  ]

  static let values = [
    Mistake("two literals", #"ANNOTATE(k, ANNOT_TEXT(t, "a" "b"));"#, says: oneLiteral),
    Mistake("an escape", #"ANNOTATE(k, ANNOT_TEXT(t, "\x41"));"#, says: oneLiteral),
    Mistake("a quote in text", #"ANNOTATE(k, ANNOT_TEXT(t, "a\"b"));"#, says: oneLiteral),
    Mistake("a prefixed literal", #"ANNOTATE(k, ANNOT_TEXT(t, u8"a"));"#, says: oneLiteral),
    Mistake("a wide literal", #"ANNOTATE(k, ANNOT_TEXT(t, L"abc"));"#, says: oneLiteral),
    Mistake("a token for text", "ANNOTATE(k, ANNOT_TEXT(t, abc));", says: oneLiteral),
    Mistake("a number for text", "ANNOTATE(k, ANNOT_TEXT(t, 12));", says: oneLiteral),
    Mistake("no text", "ANNOTATE(k, ANNOT_TEXT(t, ));", says: oneLiteral),
    Mistake(
      "a tab in text", "ANNOTATE(k, ANNOT_TEXT(t, \"a\tb\"));",
      says: "annot: ANNOT_TEXT takes no tab characters; use spaces"),
  ]

  static let numbers =
    ["\"5\"", "0x10", "010", "5u", "1+1", "(5)", "five", "'5'", "1.5", "", "12345678901234567890"]
    .map { Mistake("integer \($0)", "ANNOTATE(k, ANNOT_INT(n, \($0)));", says: integer) }
    + [
      "\".5\"", ".5", "5.", "1.5f", "0x1p3", "01.5", "1e", "-", "1.2.3", "1e5.5", "1e5e5", "1-2", "inf",
      "1e+",
    ]
    .map { Mistake("number \($0)", "ANNOTATE(k, ANNOT_FLOAT(n, \($0)));", says: number) }
    + ["yes", "1", "TRUE", ""]
    .map {
      Mistake(
        "boolean \($0)", "ANNOTATE(k, ANNOT_BOOL(b, \($0)));", says: "annot: ANNOT_BOOL takes true or false")
    }

  static let shapes = [
    Mistake("a bare value for a member", "ANNOTATE(k, 5);", says: member),
    Mistake("a bare name for a member", "ANNOTATE(k, jump);", says: member),
    Mistake("a member without its value", "ANNOTATE(k, ANNOT_NAME(key));", says: member),
    Mistake("an unknown type of tweak", "ANNOTATE_TWEAK(t, string, 1);", says: tweak),
    Mistake("a tweak with half a range", "ANNOTATE_TWEAK(t, int, 1, 0);", says: tweak),
    Mistake("a range of a boolean", "ANNOTATE_TWEAK(t, bool, true, 0, 1);", says: tweak),
    Mistake("a tweak's default of another type", #"ANNOTATE_TWEAK(t, int, "a");"#, says: integer),
    Mistake(
      "17 members",
      "ANNOTATE(k\((0..<17).map { ", ANNOT_INT(k\($0), 1)" }.joined()));",
      says: "annot: at most 16 of these fit into one macro"),
  ]

  static let methods = [
    Mistake(
      "17 parameters",
      "ANNOT_METHOD(void, A, m\((0..<17).map { ", (int, p\($0))" }.joined())) {}",
      says: "annot: a method takes at most 16 parameters; pass a struct, (type, name), for more"),
    Mistake("an unnamed parameter", "ANNOT_METHOD(void, A, m, (int)) {}", says: parameter),
    Mistake("a parameter with an empty name", "ANNOT_METHOD(void, A, m, (int, )) {}", says: parameter),
    Mistake("variable arguments", "ANNOT_METHOD(void, A, m, (int, a), ...) {}", says: parameter),
    Mistake("parameters as in a prototype", "ANNOT_METHOD(void, A, m, int a) {}", says: parameter),
    Mistake("(void) for no parameters", "ANNOT_METHOD(void, A, m, (void)) {}", says: parameter),
    Mistake(
      "a static method with a bad parameter", "static ANNOT_METHOD(void, A, m, int a) {}", says: parameter),
    Mistake(
      "a selector with colons", "ANNOT_METHOD(void, A, m:to:, (int, a), (int, b)) {}",
      says: "annot: a selector with colons makes no C function name; give one: "
        + "ANNOT_METHOD_NAMED(ret, function, cls, sel, (type, name)...)"),
    Mistake(
      "an array parameter",
      "typedef int four[4];\nANNOT_METHOD(void, A, m, (four, a)) { (void)a; }",
      says: "type cannot be an array's; write a pointer: (four *, a)", line: 4),
    Mistake("a bad declaration", "ANNOT_METHOD_DECLARE(void, A, m, int a);", says: parameter),
  ]

  static let shims = [
    Mistake("a symbol in quotes", #"ANNOT_SHIM(int, A, m, "puts", (char, a));"#, says: symbol),
    Mistake("a symbol with its version", "ANNOT_SHIM(int, A, m, memcpy@V2.14, (char, a));", says: symbol),
    Mistake("a C++ name for a symbol", "ANNOT_SHIM(int, A, m, Shop::open, (char, a));", says: symbol),
    Mistake("a number for a symbol", "ANNOT_SHIM(int, A, m, 5, (char, a));", says: symbol),
    Mistake("no symbol", "ANNOT_SHIM(int, A, m, , (char, a));", says: symbol),
    Mistake("an address for a symbol", "ANNOT_SHIM(int, A, m, &puts, (char, a));", says: symbol),
    Mistake("variable arguments", "ANNOT_SHIM(int, A, m, printf, (char, a), ...);", says: shimParameter),
    Mistake("parameters as in a prototype", "ANNOT_SHIM(int, A, m, puts, char a);", says: shimParameter),
    Mistake("an unnamed parameter", "ANNOT_SHIM(int, A, m, puts, (char));", says: shimParameter),
    Mistake(
      "17 parameters", "ANNOT_SHIM(int, A, m, f\((0..<17).map { ", (int, p\($0))" }.joined()));",
      says: "annot: a shim takes at most 16 parameters"),
    Mistake(
      "an array parameter", "typedef int four[4];\nANNOT_SHIM(void, A, m, f, (four, a));",
      says: "type cannot be an array's; write a pointer: (four *, a)", line: 4),
    Mistake("a quote in the class", #"ANNOT_SHIM(int, "A", m, f, (char, a));"#, says: plainTokens),
    Mistake(
      "other types than the header's", "#include <stdio.h>\nANNOT_SHIM(int, A, m, puts, (char, a));",
      says: "conflicting", line: 4),
  ]
}

@Suite("Mistakes are compile errors at the user's line that say the mend")
struct MistakeMessagesTests {
  @Test("Names, text and numbers", arguments: Compiler.all)
  func values(_ compiler: Compiler) throws {
    // These leave the compiler's parser in step, so that all of them fit into one file.
    try check(compiler, Mistake.names + Mistake.values + Mistake.numbers)
  }

  @Test("Shapes", arguments: Compiler.all, Mistake.shapes)
  func shapes(_ compiler: Compiler, _ mistake: Mistake) throws { try check(compiler, [mistake]) }

  @Test("Methods", arguments: Compiler.all, Mistake.methods)
  func methods(_ compiler: Compiler, _ mistake: Mistake) throws { try check(compiler, [mistake]) }

  @Test("Shims", arguments: Compiler.all, Mistake.shims)
  func shims(_ compiler: Compiler, _ mistake: Mistake) throws { try check(compiler, [mistake]) }

  @Test("A record inside a struct is an error at the user's line", arguments: Compiler.all)
  func insideStruct(_ compiler: Compiler) throws {
    let mistake = Mistake(
      "a record inside a struct", "struct s { int x; ANNOTATE(k); };",
      says: compiler.isClang ? "ANNOT_ONLY_AT_FILE_OR_FUNCTION_SCOPE_" : "expected")
    try check(compiler, [mistake])
  }

  /// Compiles the mistakes, each as a file of its own by its name, and looks for each one's message.
  private func check(_ compiler: Compiler, _ mistakes: [Mistake]) throws {
    let scratch = try Scratch()
    var source = "#include <annot.h>\n#include <annot/joinpoint.h>\n"
    for (index, mistake) in mistakes.enumerated() {
      source += "#line 3 \"mistake\(index).c\"\n\(mistake.code)\n#undef MY\n#undef BOOL\n#undef linux\n"
    }
    try scratch.write(source, to: "mistakes.c")
    let limit = compiler.isClang ? ["-ferror-limit=0", "-fmacro-backtrace-limit=0"] : []
    let outcome = try scratch.run(
      [compiler.path] + compiler.language + limit + ["-fsyntax-only", Sources.include, "mistakes.c"])
    #expect(outcome.status != 0)
    // gcc escapes quotes in a message of C; the message is the same.
    let lines = outcome.output.replacing("\\'", with: "'").split(separator: "\n")
    for (index, mistake) in mistakes.enumerated() {
      let own = mistakes.count == 1 ? lines : lines.filter { $0.hasPrefix("mistake\(index).c:") }
      #expect(
        own.contains { $0.contains(mistake.message) },
        "\(mistake.testDescription): \(own.joined(separator: "\n"))")
      #expect(
        lines.contains { $0.hasPrefix("mistake\(index).c:\(mistake.line):") },
        "\(mistake.testDescription): \(own.joined(separator: "\n"))")
    }
  }
}
