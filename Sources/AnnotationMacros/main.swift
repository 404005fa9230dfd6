#if Macros
  // The compiler starts this program and asks it, over standard input and output, to expand macros.

  #if canImport(SwiftCompilerPlugin)
    // Built against the swift-syntax package.
    import SwiftCompilerPlugin
    import SwiftSyntaxMacros

    struct AnnotationMacrosPlugin: CompilerPlugin {
      let providingMacros = allMacros
    }
    try AnnotationMacrosPlugin.main()
  #else
    // Built against the toolchain's own copy, which has the machinery without that protocol.
    @_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
    import SwiftSyntaxMacros

    struct MacroProvider: PluginProvider {
      func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
        guard let macro = allMacros.first(where: { "\($0)" == typeName }) else {
          throw UnknownMacro(name: "\(moduleName).\(typeName)")
        }
        return macro
      }
    }

    /// A name that no macro here has: the declaration and the plugin are of different versions.
    struct UnknownMacro: Error, CustomStringConvertible {
      let name: String
      var description: String { "the plugin AnnotationMacros has no macro \(name)" }
    }

    try CompilerPluginMessageListener(connection: StandardIOMessageConnection(), provider: MacroProvider())
      .main()
  #endif
#endif
