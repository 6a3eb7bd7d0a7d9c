// SPDX-License-Identifier: MIT

/// What an action carries through the middlewares of one program.
///
/// One object, passed by reference, instead of a struct of five references that every stage would
/// have to count. Immutable once the action is on its way; the engine uses an object again when
/// no action is on its way with it (see `Engine.takePassage`).
@usableFromInline
// Written only while `Engine.takePassage` is its one owner, hence `@unchecked`.
final class Passage: @unchecked Sendable {
    @usableFromInline let engine: Engine
    let program: Program
    /// The stages of `program`.
    @usableFromInline let stages: Stages
    private(set) var address: Address
    private(set) var origin: Origin
    /// The actor from which the action was dispatched.
    ///
    /// Not kept: the caller keeps it alive as long as the action is on its way, and nobody reads it
    /// afterwards.
    private(set) unowned(unsafe) var isolation: (any Actor)?

    init(
        engine: Engine, program: Program, address: Address, origin: Origin,
        isolation: (any Actor)?
    ) {
        self.engine = engine
        self.program = program
        stages = program.stages
        self.address = address
        self.origin = origin
        self.isolation = isolation
    }

    /// Makes a passage that nobody else knows carry another action.
    func reuse(_ address: Address, _ origin: Origin, _ isolation: (any Actor)?) {
        self.address = address
        self.origin = origin
        self.isolation = isolation
    }

    /// A passage for the rest of the way, to be gone later and on another thread, where the actor of
    /// the first one means nothing.
    func deferred() -> Passage {
        Passage(
            engine: engine, program: program, address: address, origin: origin, isolation: nil)
    }

    /// Where the feature is that lists a middleware.
    func home(of index: Int) -> Place { stages.first[index]._withUnsafeGuaranteedRef(\.home) }

    /// Sends an action to a stage, behind the last one to the reducers.
    @inlinable @inline(__always)
    func send<A: Action>(_ action: A, to index: Int) -> DispatchResult {
        guard index < stages.count else { return finish(action) }
        return stages.first[index]._withUnsafeGuaranteedRef { $0.handle(action, self, index) }
    }

    @usableFromInline
    func finish<A: Action>(_ action: A) -> DispatchResult {
        withUnsafePointer(to: action) { pointer in
            engine.finish(A.self, pointer, to: address, from: origin, on: isolation)
        }
    }
}

/// The middlewares of a program in their order: plain memory that the program owns, so that going
/// through it counts no references.
@usableFromInline
struct Stages: @unchecked Sendable {  // Written in `init` only.
    @usableFromInline let first: UnsafeMutablePointer<Unmanaged<MiddlewareStage>>
    @usableFromInline let count: Int

    init(_ stages: [MiddlewareStage]) {
        count = stages.count
        first = .allocate(capacity: stages.count)
        for (index, stage) in stages.enumerated() {
            (first + index).initialize(to: .passRetained(stage))
        }
    }

    /// Frees the memory; the stages must not be used again.
    func destroy() {
        for index in 0..<count { first[index].release() }
        first.deallocate()
    }
}

/// A registered middleware without its type.
@usableFromInline
class MiddlewareStage: @unchecked Sendable {  // Immutable, here and in its subclasses.
    /// The slice of the feature that lists the middleware.
    final let home: Place

    init(at home: Place) {
        self.home = home
    }

    @usableFromInline
    func handle<A: Action>(_ action: A, _ passage: Passage, _ index: Int) -> DispatchResult {
        preconditionFailure("A stage without a middleware.")
    }
}

/// A middleware of a slice that is always there.
final class ConstantStage<M: Middleware>: MiddlewareStage, @unchecked Sendable {  // Immutable.
    private let middleware: M

    init(_ middleware: M, at home: Place) {
        self.middleware = middleware
        super.init(at: home)
    }

    override func handle<A: Action>(
        _ action: A, _ passage: Passage, _ index: Int
    ) -> DispatchResult {
        middleware.handle(action, in: MiddlewareContext(passage, index, last: nil))
    }
}

/// A middleware of a slice that has to be looked for: a computed property, an optional, a row.
///
/// While there is no such slice the action passes by. For a slice that goes away meanwhile, the
/// context keeps showing its last value. Each look copies the root state's struct.
final class SearchingStage<M: Middleware>: MiddlewareStage, @unchecked Sendable {  // Immutable.
    private let middleware: M

    init(_ middleware: M, at home: Place) {
        self.middleware = middleware
        super.init(at: home)
    }

    override func handle<A: Action>(
        _ action: A, _ passage: Passage, _ index: Int
    ) -> DispatchResult {
        let found: M.State? = passage.engine.find(at: home, passage.address)
        guard let found else { return passage.send(action, to: index + 1) }
        let last = LastValue(found)
        return withExtendedLifetime(last) {
            middleware.handle(action, in: MiddlewareContext(passage, index, last: last))
        }
    }
}

/// The last value of a slice that has to be looked for.
final class LastValue: Sendable {
    private let value: any Sendable

    init(_ value: any Sendable) {
        self.value = value
    }

    func `as`<Value>(_ type: Value.Type) -> Value? { value as? Value }
}
