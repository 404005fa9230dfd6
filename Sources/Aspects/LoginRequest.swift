internal import FoundationEssentials
internal import Synchronization

/// A gated call as the session is asked about it.
public struct LoginRequest: Sendable, Hashable {
  /// The join point called.
  public let joinPoint: JoinPointName
  /// What its annotation asks for besides a login: the members that belong to no other part of the record, such as
  /// `"role"` of `@NeedLogin(["role": "admin"])`.
  public let requirements: [String: LoginRequirement]
}

/// The value of a requirement.
public enum LoginRequirement: Sendable, Hashable {
  /// Text.
  case text(String)
  /// A number.
  case number(Double)
  /// True or false.
  case flag(Bool)
}

extension LoginRequirement: Decodable {
  /// Reads a requirement of a record.
  ///
  /// - Throws: `DecodingError` for anything but text, a number, true or false.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }
}

/// The requests of the join points called so far, read again when images come or go.
final class LoginRequests: Sendable {
  private struct State: Sendable {
    var generation: UInt64 = 0
    var requests: [JoinPointName: LoginRequest] = [:]
  }

  private static let ownMembers: Set<String> = ["kind", "cls", "sel", "module", "static", "file", "line"]
  private let state = Mutex(State())

  func request(for joinPoint: JoinPointName) -> LoginRequest {
    let generation = AnnotationRegistry.shared.generation
    let known = state.withLock { $0.generation == generation ? $0.requests[joinPoint] : nil }
    if let known { return known }
    let made = Self.read(joinPoint)
    state.withLock { state in
      if state.generation != generation { state = State(generation: generation) }
      state.requests[joinPoint] = made
    }
    return made
  }

  private static func read(_ joinPoint: JoinPointName) -> LoginRequest {
    var requirements: [String: LoginRequirement] = [:]
    for record in AnnotationRegistry.shared.records(ofKind: NeedLogin.kind) {
      guard JoinPointName(record)?.names(joinPoint) == true,
        let members = try? JSONDecoder().decode([String: Member].self, from: Data(record.json.utf8))
      else { continue }
      for (name, member) in members where !ownMembers.contains(name) { requirements[name] = member.value }
    }
    return LoginRequest(joinPoint: joinPoint, requirements: requirements)
  }

  /// A member of any kind; nil for what is no requirement.
  private struct Member: Decodable {
    let value: LoginRequirement?
    init(from decoder: any Decoder) throws { value = try? LoginRequirement(from: decoder) }
  }
}
