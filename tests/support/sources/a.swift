@objc
public final class Box<T>: Base where T: Equatable {
    init?(a: Int = { 1 }()) { self.a = "\(a) }" }
    deinit { stop() }
    class func make() -> Box { return Box() }
    static func == (a: Box, b: Box) -> Bool { true }
    func later<U>(_ f: (U) -> Void) async throws -> [String: U] {
        let raw = #"} " {"#
        func inner() {}
        return [:]
    }
    subscript(i: Int) -> T { items[i] }
}
extension Box.Inner: Shape {
    func area() -> Double { 1 }
}
protocol Shape {
    func area() -> Double
    init()
}
enum Kind { case a }
struct Pair {}
