// SPDX-License-Identifier: MIT

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
