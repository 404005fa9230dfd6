// Every construct that the macros take, one each; ConstructTests expects exactly these records.

import Aspects

@Annotate("shape", ["cost": 3, "rate": -0.5, "is": true, "text": "quote \" backslash \\ tab \t é"])
struct Shape {
  @Annotate("shape") var area: Int { 1 }
  @NeedLogin func plain() {}
  @NeedLogin func labels(_ a: Int, to b: String, `in` c: Bool) {}
  @NeedLogin(["role": "admin"]) static func shared() {}
  @NeedLogin mutating func change() {}
  @Track("made") init(size: Int) {}
  @NeedLogin private func hidden() {}
  @NeedLogin func `repeat`() {}
  @NeedLogin func over(_ a: Int) {}
  @NeedLogin func over(_ a: String) {}
  @NeedLogin func generic<T>(_ a: T) {}
  @NeedLogin @Track("two", "a") func both(a: Int) {}
  @NeedLogin(fallback: Shape(size: 0)) static func + (a: Shape, b: Shape) -> Shape { a }
  @NeedLogin func slow() async throws {}
  @JoinPoint func point() {}

  enum Inner {
    case one
    @NeedLogin func nested() {}
    actor Deep {
      @NeedLogin func deeper() {}
    }
  }
}

extension Shape {
  @NeedLogin func extended() {}
}

extension Shape.Inner {
  @NeedLogin func extendedInner() {}
}

final class Screen {
  @NeedLogin class func typeMethod() {}
  @MainActor @NeedLogin func isolated() {}
}

@Annotate("box") struct Box<T> {
  func open() {}
}

#annotation("needlogin", ["cls": "Box", "sel": "open()"])

protocol Named {}
extension Named {
  func show() {}
}

#annotation("needlogin", ["cls": "Named", "sel": "show()"])

@NeedLogin func free(at place: Int) {}
@Track("bought", "item", "price") func buy(item: String, for price: Int) {}
