import Annotations
import Glibc
import Synchronization
import Testing

/// A kind that counts how often it is decoded.
private struct Counted: Annotation {
  static let kind = "counted"
  static let decodings = Mutex(0)
  var name: String

  private enum CodingKeys: String, CodingKey { case name }

  init(from decoder: any Decoder) throws {
    Self.decodings.withLock { $0 += 1 }
    name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
  }
}

extension ProcessTests {
  @Suite("Changes")
  struct Changes {
    private let registry = AnnotationRegistry.shared

    @Test("Each change is told with its images and records, in order")
    func told() async throws {
      let plugin = try Plugin(bareRecords([#"{"kind":"mark","name":"changing"}"#]))
      let changes = registry.changes
      let handle = try plugin.open()
      registry.refresh()
      dlclose(handle)
      registry.refresh()
      var seen: [String] = []
      for await change in changes {
        let path = plugin.path
        seen += change.addedImages.filter { $0.path == path }.map { "+ \($0.route)" }
        seen += change.addedRecords.filter { $0.source.image == path }.map { "+ \($0.kind)" }
        seen += change.removedImages.filter { $0.path == path }.map { _ in "-" }
        seen += change.removedRecords.filter { $0.source.image == path }.map { "- \($0.json)" }
        if !change.removedImages.isEmpty { break }
      }
      #expect(seen == ["+ file", "+ mark", "-", #"- {"kind":"mark","name":"changing"}"#])
    }

    @Test("A cancelled task's iteration ends")
    func cancelled() async throws {
      let task = Task {
        var count = 0
        for await _ in AnnotationRegistry.shared.changes { count += 1 }
        return count
      }
      task.cancel()
      _ = await task.value
    }

    @Test("A record is decoded once for a type, also when other images come and go")
    func decodedOnce() throws {
      let plugin = try Plugin(bareRecords([#"{"kind":"counted","name":"x"}"#]))
      let other = try Plugin(bareRecords([#"{"kind":"mark","name":"other"}"#]))
      let handle = try plugin.open()
      defer { dlclose(handle) }
      #expect(Counted.decodings.withLock { $0 } == 0)
      #expect(registry.annotations(of: Counted.self).map(\.annotation.name) == ["x"])
      let another = try other.open()
      #expect(registry.annotations(of: Counted.self).map(\.annotation.name) == ["x"])
      dlclose(another)
      #expect(registry.annotations(of: Counted.self).map(\.annotation.name) == ["x"])
      #expect(Counted.decodings.withLock { $0 } == 1)
    }

    @Test("An image keeps its identity while it is loaded and has another when loaded again")
    func identity() throws {
      let plugin = try Plugin(bareRecords([#"{"kind":"mark","name":"x"}"#]))
      let id = { [registry] in registry.images.first { $0.path == plugin.path }?.id }
      let handle = try plugin.open()
      let first = try #require(id())
      registry.refresh()
      #expect(id() == first)
      dlclose(handle)
      #expect(id() == nil)
      let again = try plugin.open()
      defer { dlclose(again) }
      #expect(try #require(id()) != first)
    }

    @Test("A record that lacks a member says which")
    func undecodable() throws {
      let plugin = try Plugin(bareRecords([#"{"kind":"counted"}"#, #"{"kind":"counted","name":3}"#]))
      let handle = try plugin.open()
      defer { dlclose(handle) }
      _ = registry.annotations(of: Counted.self)
      let reasons = registry.diagnostics.filter { $0.image == plugin.path }.map(\.reason)
      #expect(reasons.count == 2)
      #expect(reasons.contains { $0.contains("has no member \"name\"") })
      #expect(reasons.contains { $0.contains("member \"name\":") })
    }
  }
}
