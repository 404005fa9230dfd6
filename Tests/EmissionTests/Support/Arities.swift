/// Sources that use each macro with each number of arguments it takes.
enum Arities {
  private static func list(_ count: Int, _ element: (Int) -> String) -> String {
    (0..<count).map { ", " + element($0) }.joined()
  }

  /// A source valid in C and C++, without places, and the records expected of it, sorted.
  static let source: (text: String, records: [String]) = {
    var text = "#include <annot.h>\n#include <annot/joinpoint.h>\n"
    var records: [String] = []
    for count in 0...16 {
      text += "ANNOTATE(any\(count)\(list(count) { "ANNOT_INT(k\($0), \($0))" }));\n"
      records.append("{\"kind\":\"any\(count)\"\((0..<count).map { ",\"k\($0)\":\($0)" }.joined())}")

      text += "ANNOTATE_TRACK(T, m, C, e\(count)\(list(count) { "p\($0)" }));\n"
      let names = (0..<count).map { "\"p\($0)\"" }.joined(separator: ",")
      records.append(
        "{\"kind\":\"track\",\"cls\":\"T\",\"sel\":\"m\",\"module\":\"C\",\"event\":\"e\(count)\""
          + (count == 0 ? "" : ",\"parameters\":[\(names)]") + "}")

      if count <= 13 {
        text += "ANNOTATE_NEEDLOGIN(T, m\(count), C\(list(count) { "ANNOT_NAME(k\($0), v)" }));\n"
        let members = (0..<count).map { ",\"k\($0)\":\"v\"" }.joined()
        records.append(
          "{\"kind\":\"needlogin\",\"cls\":\"T\",\"sel\":\"m\(count)\",\"module\":\"C\"\(members)}")
      }

      let sum = (["0"] + (0..<count).map { "a\($0)" }).joined(separator: " + ")
      let parameters = list(count) { "(int, a\($0))" }
      let prototype = count == 0 ? "void" : (0..<count).map { "int a\($0)" }.joined(separator: ", ")
      text += "int J_m\(count)(\(prototype));\nint j_s\(count)(\(prototype));\n"
      text += "ANNOT_METHOD_DECLARE(int, J, m\(count)\(parameters));\n"
      text += "ANNOT_METHOD(int, J, m\(count)\(parameters)) { return \(sum); }\n"
      text += "ANNOT_METHOD_STATIC_NAMED(int, j_s\(count), J, s:\(count)\(parameters)) { return \(sum); }\n"
      records.append("{\"kind\":\"joinpoint\",\"cls\":\"J\",\"sel\":\"m\(count)\",\"module\":\"C\"}")
      records.append(
        "{\"kind\":\"joinpoint\",\"cls\":\"J\",\"sel\":\"s:\(count)\",\"module\":\"C\",\"static\":true}")
    }
    return (text, records.sorted())
  }()
}
