#if Macros
  import SwiftSyntaxMacros

  /// The macros that this plugin has; their types' names are those in the macros' declarations.
  nonisolated(unsafe) let allMacros: [any Macro.Type] = [
    AnnotateMacro.self, AnnotationMacro.self, AsyncJoinPointKeyMacro.self, JoinPointKeyMacro.self,
    JoinPointMacro.self, NeedLoginMacro.self, TrackMacro.self,
  ]
#endif
