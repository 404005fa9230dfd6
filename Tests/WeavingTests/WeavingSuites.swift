import Interception
import Testing

/// The suites that advise this module's functions take turns: each expects no advice but its own there.
@Suite(.serialized) enum WeavingSuites {}

/// The advice that this module's tests added: other tests may run at the same time.
var ownAdvice: [AdviceListing] {
  InterceptionRegistry.shared.advice.filter {
    $0.pointcut.description.contains("Clerk") || $0.pointcut.description.contains("Meter")
  }
}

/// The problems of this module's join points.
var ownProblems: [InterceptionError] {
  InterceptionRegistry.shared.problems.filter { $0.joinPoint.module == "WeavingTests" }
}
