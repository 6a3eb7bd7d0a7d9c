// SPDX-License-Identifier: MIT

/// An action's way through the middlewares of one program.
struct Passage: Sendable {
    let engine: Engine
    let program: Program
    /// The stage that comes next.
    let index: Int
    let address: Address
    let origin: Origin
    /// The actor from which the action was dispatched.
    let isolation: (any Actor)?

    /// The same way, one stage on.
    private var further: Passage {
        Passage(
            engine: engine, program: program, index: index + 1, address: address, origin: origin,
            isolation: isolation)
    }

    @inline(__always)
    func advance<A: Action>(_ action: A) -> DispatchResult {
        if index < program.chain.count {
            return program.chain[index].handle(action, further)
        }
        return withUnsafePointer(to: action) { pointer in
            engine.finish(A.self, pointer, to: address, from: origin, on: isolation)
        }
    }
}

/// A registered middleware without its type.
class MiddlewareStage: @unchecked Sendable {  // Immutable, here and in its subclasses.
    func handle<A: Action>(_ action: A, _ passage: Passage) -> DispatchResult {
        preconditionFailure("A stage without a middleware.")
    }
}

/// A middleware of a slice that is always there.
final class ConstantStage<M: Middleware>: MiddlewareStage, @unchecked Sendable {  // Immutable.
    private let middleware: M
    private let home: Place
    private let reading: Projection<M.State>

    init(_ middleware: M, at home: Place) {
        self.middleware = middleware
        self.home = home
        reading = Projection(range: home.range, derive: nil)
    }

    override func handle<A: Action>(_ action: A, _ passage: Passage) -> DispatchResult {
        middleware.handle(
            action, in: MiddlewareContext(passage, reading: reading, home: home))
    }
}

/// A middleware of a slice that has to be looked for: a computed property, an optional, a row.
///
/// While there is no such slice the action passes by. For a slice that goes away meanwhile, the
/// context keeps showing its last value. Each look copies the root state's struct.
final class SearchingStage<M: Middleware>: MiddlewareStage, @unchecked Sendable {  // Immutable.
    private let middleware: M
    private let home: Place

    init(_ middleware: M, at home: Place) {
        self.middleware = middleware
        self.home = home
    }

    override func handle<A: Action>(_ action: A, _ passage: Passage) -> DispatchResult {
        let address = passage.address
        let looking = Projection<M.State?>(range: home.range) { [home] root in
            home.first(in: root, address, as: M.State.self)
        }
        guard let last = passage.engine.read(looking) else { return passage.advance(action) }
        let reading = looking.selecting { $0 ?? last }
        return middleware.handle(
            action, in: MiddlewareContext(passage, reading: reading, home: home))
    }
}
