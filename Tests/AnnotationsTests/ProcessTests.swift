import Annotations
import Glibc
import Synchronization
import Testing
import ThreadSupport

/// A kind of these tests' own.
private struct Mark: Annotation {
  static let kind = "mark"
  var name: String
}

@Suite("Annotations of the running process", .serialized)
struct ProcessTests {
  private let registry = AnnotationRegistry.shared

  private func marks(in plugin: Plugin) -> [String] {
    registry.annotations(of: Mark.self).filter { $0.image == plugin.path }.map(\.annotation.name)
  }

  private func route(of plugin: Plugin) -> LoadedImage.Route? {
    registry.images.first { $0.path == plugin.path }?.route
  }

  private func troubles(of plugin: Plugin) -> [String] {
    registry.diagnostics.filter { $0.image == plugin.path }.map(\.reason)
  }

  @Test("A library's records appear after dlopen, with their places, and go with dlclose")
  func comesAndGoes() throws {
    let plugin = try Plugin(
      """
      #include <annot.h>
      ANNOTATE(mark, ANNOT_NAME(name, one));
      ANNOTATE_NEEDLOGIN(Plugin, run:fast:, C);
      """)
    let before = registry.generation
    #expect(marks(in: plugin) == [])
    let handle = try plugin.open()
    #expect(marks(in: plugin) == ["one"])
    #expect(registry.generation > before)
    #expect(route(of: plugin) == .note)
    let gated = try #require(registry.annotations(of: NeedLogin.self).first { $0.image == plugin.path })
    #expect(gated.annotation == NeedLogin(cls: "Plugin", sel: "run:fast:", module: "C"))
    #expect(gated.file?.hasSuffix("plugin.c") == true)
    #expect(gated.line == 3)
    let kept = registry.records(ofKind: "mark").filter { $0.source.image == plugin.path }
    dlclose(handle)
    #expect(marks(in: plugin) == [])
    #expect(route(of: plugin) == nil)
    #expect(kept.map { $0.json.contains("\"name\":\"one\"") } == [true])
  }

  @Test("Records without a bounds note are found by the file's section headers, the same ones")
  func fileRoute() throws {
    let plugin = try Plugin(bareRecords([#"{"kind":"mark","name":"a"}"#, #"{"kind":"mark","name":"b"}"#]))
    let handle = try plugin.open()
    defer { dlclose(handle) }
    #expect(marks(in: plugin) == ["a", "b"])
    #expect(route(of: plugin) == .file)
  }

  @Test("Section headers may be stripped where there is a bounds note")
  func withoutSectionHeaders() throws {
    let plugin = try Plugin("#include <annot.h>\nANNOTATE(mark, ANNOT_NAME(name, one));")
    // e_shoff, e_shnum and e_shstrndx of a 64-bit ELF header.
    let file = try #require(fopen(plugin.path, "r+e"))
    for (offset, size) in [(40, 8), (60, 2), (62, 2)] {
      fseek(file, offset, SEEK_SET)
      for _ in 0..<size { fputc(0, file) }
    }
    fclose(file)
    let handle = try plugin.open()
    defer { dlclose(handle) }
    #expect(marks(in: plugin) == ["one"])
  }

  @Test("Garbage between good records is reported by offset and leaves its neighbours alone")
  func garbage() throws {
    let plugin = try Plugin(
      bareRecords([
        #"{"kind":"mark","name":"a"}"#, "garbage", #"{"kind":"mark"}"#, #"{"name":"kindless"}"#,
        #"{"kind":"mark","name":"b"}"#,
      ]))
    let handle = try plugin.open()
    defer { dlclose(handle) }
    #expect(marks(in: plugin) == ["a", "b"])
    let troubles = registry.diagnostics.filter { $0.image == plugin.path }
    #expect(troubles.count == 3)
    #expect(troubles.allSatisfy { $0.offset != nil && $0.section == "annot" })
    #expect(troubles.contains { $0.reason.contains("JSON") })
    #expect(troubles.contains { $0.reason.contains("kind") })
    #expect(troubles.contains { $0.reason.contains("not a Mark") })
  }

  @Test("Byte-identical records of one image are one annotation; others of one target are kept")
  func duplicates() throws {
    let plugin = try Plugin(
      bareRecords([
        #"{"kind":"mark","name":"a"}"#, #"{"kind":"mark","name":"a"}"#,
        #"{"kind":"mark","name":"a","line":2}"#,
      ]))
    let handle = try plugin.open()
    defer { dlclose(handle) }
    #expect(marks(in: plugin) == ["a", "a"])
  }

  @Test(
    "Records that contradict each other are reported with both places and kept",
    arguments: [
      (
        #"{"kind":"tweak","name":"T","type":"int","default":1"#,
        #"{"kind":"tweak","name":"T","type":"int","default":2"#
      ),
      (
        #"{"kind":"class","cls":"T","module":"C","base":"A""#,
        #"{"kind":"class","cls":"T","module":"OC","base":"B""#
      ),
      (
        #"{"kind":"service","protocol":"T","implementation":"A""#,
        #"{"kind":"service","protocol":"T","implementation":"B""#
      ),
      (
        #"{"kind":"needlogin","cls":"T","sel":"s","module":"C""#,
        #"{"sel":"s","module":"C","kind":"needlogin","cls":"T","fallback":1"#
      ),
    ])
  func conflicts(_ first: String, _ second: String) throws {
    let plugin = try Plugin(bareRecords([first + #","file":"a.c","line":1}"#]))
    let other = try Plugin(bareRecords([second + #","file":"b.c","line":2}"#]))
    let handles = [try plugin.open(), try other.open()]
    defer { for handle in handles { dlclose(handle) } }
    let diagnostics = registry.diagnostics.filter { $0.image == other.path }
    #expect(diagnostics.map(\.severity) == [.note])
    #expect(
      diagnostics.first?.reason.contains("at b.c:2 contradicts the one at a.c:1 in \(plugin.path)") == true,
      "\(diagnostics)")
    #expect(registry.records.filter { [plugin.path, other.path].contains($0.source.image) }.count == 2)
  }

  @Test("Records that say the same elsewhere, or are of an application's own kind, do not conflict")
  func noConflicts() throws {
    let plugin = try Plugin(
      bareRecords([
        #"{"kind":"tweak","name":"N","type":"int","default":1,"line":1}"#,
        #"{"kind":"tweak","default":1,"type":"int","name":"N","line":2}"#,
        #"{"kind":"track","cls":"N","sel":"s","event":"a"}"#,
        #"{"kind":"track","cls":"N","sel":"s","event":"b"}"#,
        #"{"kind":"needlogin","cls":"N","sel":"s"}"#,
        #"{"kind":"needlogin","cls":"N","sel":"s","static":true,"x":1}"#,
        #"{"kind":"route","cls":"N","path":"a"}"#, #"{"kind":"route","cls":"N","path":"b"}"#,
      ]))
    let handle = try plugin.open()
    defer { dlclose(handle) }
    #expect(troubles(of: plugin) == [])
  }

  @Test("A library deleted before it was read says so, and is read if it has a bounds note")
  func deleted() throws {
    let bare = try Plugin(bareRecords([#"{"kind":"mark","name":"a"}"#]))
    let noted = try Plugin("#include <annot.h>\nANNOTATE(mark, ANNOT_NAME(name, one));")
    let handles = [try bare.open(), try noted.open()]
    defer { for handle in handles { dlclose(handle) } }
    unlink(bare.path)
    unlink(noted.path)
    #expect(marks(in: bare) == [])
    #expect(troubles(of: bare).count == 1)
    #expect(marks(in: noted) == ["one"])
    #expect(troubles(of: noted) == [])
  }

  @Test("A library whose file was replaced is not read by the other's headers")
  func replaced() throws {
    let plugin = try Plugin(bareRecords([#"{"kind":"mark","name":"old"}"#]))
    let other = try Plugin(bareRecords(["x", #"{"kind":"mark","name":"newer"}"#]))
    let handle = try plugin.open()
    defer { dlclose(handle) }
    rename(other.path, plugin.path)
    #expect(marks(in: plugin) == [])
    #expect(troubles(of: plugin).count == 1)
  }

  @Test("A replaced library without build-ids is noticed by its bytes")
  func replacedWithoutBuildID() throws {
    let plugin = try Plugin(bareRecords([#"{"kind":"mark","name":"old"}"#]), flags: "-Wl,--build-id=none")
    let other = try Plugin(bareRecords([#"{"kind":"mark","name":"new"}"#]), flags: "-Wl,--build-id=none")
    let handle = try plugin.open()
    defer { dlclose(handle) }
    rename(other.path, plugin.path)
    #expect(marks(in: plugin) == [])
    #expect(troubles(of: plugin) == ["its file was changed since it was loaded"])
  }

  @Test("What could not be read is read by refresh once it can be")
  func refresh() throws {
    let plugin = try Plugin(bareRecords([#"{"kind":"mark","name":"a"}"#]))
    let handle = try plugin.open()
    defer { dlclose(handle) }
    rename(plugin.path, plugin.path + ".away")
    #expect(marks(in: plugin) == [])
    rename(plugin.path + ".away", plugin.path)
    #expect(marks(in: plugin) == [])
    registry.refresh()
    #expect(marks(in: plugin) == ["a"])
    #expect(troubles(of: plugin) == [])
  }

  @Test("Another library at the same path is noticed after a reload")
  func reloaded() throws {
    let plugin = try Plugin("#include <annot.h>\nANNOTATE(mark, ANNOT_NAME(name, one));")
    let other = try Plugin("#include <annot.h>\nANNOTATE(mark, ANNOT_NAME(name, two));")
    dlclose(try plugin.open())
    let first = try plugin.open()
    #expect(marks(in: plugin) == ["one"])
    dlclose(first)
    rename(other.path, plugin.path)
    let second = try plugin.open()
    defer { dlclose(second) }
    #expect(marks(in: plugin) == ["two"])
  }

  @Test("A library's constructor may read the registry from within dlopen, and sees its own records")
  func fromConstructor() throws {
    ConstructorSeen.names.withLock { $0 = [] }
    let read: @convention(c) () -> Void = {
      let names = AnnotationRegistry.shared.annotations(of: Mark.self).map(\.annotation.name)
      ConstructorSeen.names.withLock { $0 = names }
    }
    setenv("ANNOT_TEST_CALLBACK", "\(UInt(bitPattern: unsafeBitCast(read, to: Int.self)))", 1)
    defer { unsetenv("ANNOT_TEST_CALLBACK") }
    let plugin = try Plugin(
      """
      #include <annot.h>
      #include <stdlib.h>
      ANNOTATE(mark, ANNOT_NAME(name, early));
      __attribute__((constructor)) static void start(void) {
        ((void (*)(void))strtoul(getenv("ANNOT_TEST_CALLBACK"), 0, 10))();
      }
      """)
    let handle = try plugin.open()
    defer { dlclose(handle) }
    #expect(ConstructorSeen.names.withLock { $0 }.contains("early"))
  }

  @Test("Threads that open and close libraries do not disturb threads that read")
  func racing() throws {
    let plugins = try (0..<6).map { index in
      let source =
        index % 2 == 0
        ? "#include <annot.h>\nANNOTATE(mark, ANNOT_NAME(name, race));"
        : bareRecords([#"{"kind":"mark","name":"race"}"#])
      return try Plugin(source)
    }
    let steady = try Plugin("#include <annot.h>\nANNOTATE(mark, ANNOT_NAME(name, steady));")
    let handle = try steady.open()
    defer { dlclose(handle) }
    let lost = Atomic(0)
    let isDone = Atomic(false)
    inParallel(4) { thread in
      if thread < 2 {
        for round in 0..<150 {
          let plugin = plugins[(round % 3) * 2 + thread]
          guard let handle = dlopen(plugin.path, RTLD_NOW) else { continue }
          let isSeen = AnnotationRegistry.shared.annotations(of: Mark.self)
            .contains { $0.image == plugin.path }
          if !isSeen { lost.add(1, ordering: .relaxed) }
          dlclose(handle)
        }
        isDone.store(true, ordering: .relaxed)
      } else {
        while !isDone.load(ordering: .relaxed) {
          let names = AnnotationRegistry.shared.annotations(of: Mark.self).map(\.annotation.name)
          if !names.contains("steady") { lost.add(1, ordering: .relaxed) }
        }
      }
    }
    #expect(lost.load(ordering: .relaxed) == 0)
    #expect(plugins.allSatisfy { marks(in: $0) == [] })
  }
}

private enum ConstructorSeen {
  static let names = Mutex<[String]>([])
}
