@preconcurrency internal import CCommandLine
@preconcurrency import Glibc

/// Arguments as the system gave them.
typealias ArgumentVector = UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>

/// Why arguments are not understood, as a message for people.
struct UsageError: Error {
  let message: String
}

/// Takes arguments apart with getopt_long.
///
/// - Parameters:
///   - arguments: NUL-terminated; the first is the command's name. Operands are moved to the end.
///   - descriptions: The options there are.
func parse(
  _ arguments: ArgumentVector, _ descriptions: [OptionDescription]
) throws(UsageError) -> ParsedArguments {
  var table = descriptions.enumerated().map { index, description in
    // Results above all letters tell long options, and short ones by the same number.
    option(
      name: UnsafeRawPointer(description.name.utf8Start).assumingMemoryBound(to: CChar.self),
      has_arg: description.takesValue ? required_argument : no_argument, flag: nil, val: Int32(1000 + index))
  }
  table.append(option())
  // The leading colon makes a missing value tell itself from an unknown option.
  let letters =
    ":"
    + descriptions.map { description in
      description.letter.map { "\($0)" + (description.takesValue ? ":" : "") } ?? ""
    }.joined()

  opterr = 0
  optind = 0
  var result = ParsedArguments(descriptions: descriptions)
  let count = Int32(arguments.count)
  while true {
    // Where getopt looks next; it moves operands about, so an option that fails is the one before optind.
    let code = getopt_long(count, arguments.baseAddress!, letters, table, nil)
    if code == -1 { break }
    guard let description = find(code, in: descriptions) else {
      throw usageError(code, arguments)
    }
    try result.add(description, description.takesValue ? optarg : nil)
  }
  result.operands = arguments[Int(optind)...].compactMap { $0 }
  return result
}

private func find(_ code: Int32, in descriptions: [OptionDescription]) -> OptionDescription? {
  if code >= 1000 { return descriptions[Int(code) - 1000] }
  return descriptions.first { $0.letter?.asciiValue.map(Int32.init) == code }
}

private func usageError(_ code: Int32, _ arguments: ArgumentVector) -> UsageError {
  let isShort = optopt > 0 && optopt < 1000
  let culprit =
    isShort
    ? "-\(Character(Unicode.Scalar(UInt8(truncatingIfNeeded: optopt))))"
    : arguments[Int(optind) - 1].map { String(cString: $0) } ?? ""
  let shown = escaped(culprit)
  if code == Int32(UInt8(ascii: ":")) { return UsageError(message: "option '\(shown)' needs a value") }
  if !isShort && optopt >= 1000 {
    return UsageError(message: "option '\(shown)' takes no value")
  }
  return UsageError(message: "unknown or ambiguous option '\(shown)'")
}
