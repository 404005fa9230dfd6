import TestSupport
import Testing

/// What the compiler says of a snippet, as `line:column: message`.
private func complaints(_ snippet: String) throws -> [String] {
  let products = builtProductsDirectory()
  let directory = try TemporaryDirectory()
  let source = try directory.write("import Aspects\n" + snippet, to: "Snippet.swift")
  let root = String(#filePath.dropLast("Tests/MacroTests/MessageTests.swift".count))
  let maps = ["CAnnot", "CAnnotRecords"].flatMap {
    [
      "-Xcc", "-fmodule-map-file=\(root)Sources/\($0)/include/module.modulemap", "-Xcc",
      "-I\(root)Sources/\($0)/include",
    ]
  }
  let result = try run(
    "/usr/bin/env",
    [
      "swiftc", "-typecheck", "-swift-version", "6", "-module-name", "Snippet", "-I", "\(products)/Modules",
      "-load-plugin-executable", "\(products)/AnnotationMacros-tool#AnnotationMacros",
    ] + maps + [source])
  return result.errors.split(separator: "\n").compactMap { line in
    guard line.hasPrefix(source), let error = line.range(of: " error: ") else { return nil }
    let place = line[line.index(line.startIndex, offsetBy: source.utf8.count + 1)..<error.lowerBound]
    // The compiler names the macro behind the message.
    let message = line[error.upperBound...]
    return "\(place) \(message[..<(message.range(of: " (from macro")?.lowerBound ?? message.endIndex)])"
  }
}

@Suite("What the Swift macros say of mistakes")
struct MessageTests {
  @Test(
    "Each mistake is an error at the user's line that says the mend",
    arguments: [
      (
        "struct S { @NeedLogin var x: Int { 1 } }",
        "2:12: @NeedLogin stands on functions; this is a property; annotate a method that reads or sets it"
      ),
      (
        "struct S { @NeedLogin subscript(i: Int) -> Int { i } }",
        "2:12: @NeedLogin stands on functions; this is a subscript; annotate a method that does its work"
      ),
      (
        "class C { @NeedLogin deinit {} }",
        "2:11: @NeedLogin stands on functions; this is a deinitializer; annotate a method that it calls"
      ),
      (
        "@NeedLogin struct S {}",
        "2:1: @NeedLogin stands on functions; this is a type; annotate its methods"
      ),
      (
        "struct S { @NeedLogin @NeedLogin func f() {} }",
        "2:23: this annotation is on the declaration already; remove it"
      ),
      (
        "let role = \"a\"\nstruct S { @NeedLogin([\"role\": role]) func f() {} }",
        "3:32: an annotation's values are literals, since they are put into the binary: text without "
          + "interpolation, a decimal number, true or false"
      ),
      (
        "struct S { @Annotate(\"k\", [\"cls\": \"x\"]) func f() {} }",
        "2:28: the macro itself writes the member 'cls'; choose another name"
      ),
      (
        "struct S { @Annotate(\"k\", [\"a\": 1, \"a\": 2]) func f() {} }",
        "2:36: the member 'a' is there already"
      ),
      ("struct S { @Annotate(\"\") func f() {} }", "2:22: the kind is empty"),
      (
        "struct S { @Track(\"e\", \"b\") func f(a: Int) {} }",
        "2:24: the function has no parameter 'b'; it has a"
      ),
      (
        "struct S<T> { @NeedLogin func f() {} }",
        "2:15: Swift allows no static data in generic types and protocols such as 'S'; write at file scope: "
          + "#annotation(\"kind\", [\"cls\": \"S\", \"sel\": \"…\"])"
      ),
      (
        "extension Sequence { @NeedLogin func f() {} }",
        "2:22: Swift allows no static data in generic types and protocols such as 'Sequence'; "
          + "write at file scope: #annotation(\"kind\", [\"cls\": \"Sequence\", \"sel\": \"…\"])"
      ),
      (
        "protocol P {}\nextension P where Self: Equatable { @NeedLogin func f() {} }",
        "3:37: Swift allows no static data in generic types and protocols such as 'P'; "
          + "write at file scope: #annotation(\"kind\", [\"cls\": \"P\", \"sel\": \"…\"])"
      ),
      (
        "struct S { @NeedLogin func f() -> Int { 1 } }",
        "2:12: a call that is stopped needs a result: add a fallback, @NeedLogin(fallback: …), "
          + "or let the function throw"
      ),
      (
        "struct S { @NeedLogin init() {} }",
        "2:12: an initializer cannot be stopped halfway; put @NeedLogin on a function that makes the object"
      ),
      (
        "struct S { @NeedLogin func f(_ b: () throws -> Void) rethrows { try b() } }",
        "2:12: a rethrowing function cannot be stopped; declare it `throws`, or put @NeedLogin on what calls it"
      ),
      (
        "struct S { @JoinPoint @inlinable public func f() {} }",
        "2:12: @inlinable copies the body into other modules, where its join point's data are not; "
          + "remove @inlinable, or move the body into a function that is a join point"
      ),
      (
        "@resultBuilder struct ListBuilder { static func buildBlock(_ a: Int...) -> [Int] { a } }\n"
          + "struct S { @ListBuilder @JoinPoint func f() -> [Int] { 1 } }",
        "3:25: a result builder's body cannot be woven; "
          + "build in a function of its own and call that from a join point"
      ),
      (
        "struct S: ~Copyable { @JoinPoint consuming func f() {} }",
        "2:23: a consuming method cannot be a join point: its advice would need a copy of self; "
          + "move its body into a method without `consuming`"
      ),
      (
        "struct S { @JoinPoint func f(_ a: sending [Int]) {} }",
        "2:30: a sending parameter cannot be handed to advice, which needs a copy; "
          + "let a join point without `sending` do the work"
      ),
      (
        "struct S { @JoinPoint func f<each T>(_ t: repeat each T) {} }",
        "2:38: a parameter pack cannot be handed to advice; let a join point that takes a tuple do the work"
      ),
      (
        "protocol P { @NeedLogin func f() }",
        "2:14: a protocol's requirement has no code of its own; annotate the methods that implement it"
      ),
      (
        "func f() { @NeedLogin func g() {} }",
        "2:12: an annotation inside a function has no place in the binary; "
          + "annotate a member of a type or a declaration at file scope"
      ),
    ])
  func mistakes(_ snippet: String, _ message: String) throws {
    #expect(try complaints(snippet).contains(message))
  }

  @Test("A snippet without mistakes compiles")
  func sound() throws {
    #expect(try complaints("struct S { @NeedLogin func f() {} }") == [])
  }
}
