// SPDX-License-Identifier: MIT

/// One stage of a chain: a middleware without its type, or the end behind the last one.
///
/// It calls the middleware's own `handle`, with only the look-up of a protocol's requirement in
/// between.
@usableFromInline
struct MiddlewareStage {
    @usableFromInline let type: any Middleware.Type
    /// A `TypedMiddleware` of that type; kept alive by the compiled features.
    ///
    /// Counted, it would take 1,080 instructions more than the 795 of ten middlewares.
    @usableFromInline let middleware: Unmanaged<AnyMiddleware>

    /// The place of the feature that lists the middleware.
    var lens: SliceLens { middleware._withUnsafeGuaranteedRef(\.lens) }

    /// Has the middleware at a position of a chain handle an action.
    @inlinable @inline(__always)
    static func handle<A: Action>(
        _ action: A, at position: UnsafePointer<MiddlewareStage>,
        in chain: UnsafePointer<ChainContext>
    ) -> DispatchResult {
        @inline(__always)
        func open<M: Middleware>(_ type: M.Type) -> DispatchResult {
            // It is one of that type.
            Unmanaged<TypedMiddleware<M>>.fromOpaque(position.pointee.middleware.toOpaque())
                ._withUnsafeGuaranteedRef {
                    $0.middleware.handle(action, in: MiddlewareContext(chain, position))
                }
        }
        return open(position.pointee.type)
    }
}

/// The stages of a store in their order: plain memory that the compiled features own, so that going through
/// it counts no references.
struct Stages: @unchecked Sendable {  // Written in `init` only.
    let first: UnsafePointer<MiddlewareStage>
    /// The number of middlewares; behind the last one stands the end.
    let count: Int

    init(_ middlewares: [AnyMiddleware], end: some Middleware<Void>) {
        count = middlewares.count
        let all = middlewares + [TypedMiddleware(end, at: .root(Void.self))]
        let memory = UnsafeMutablePointer<MiddlewareStage>.allocate(capacity: all.count)
        for (index, middleware) in all.enumerated() {
            (memory + index).initialize(
                to: MiddlewareStage(type: middleware.type, middleware: .passRetained(middleware)))
        }
        first = UnsafePointer(memory)
    }

    /// Frees the memory; the stages must not be used again.
    func destroy() {
        for index in 0...count { first[index].middleware.release() }
        first.deallocate()
    }
}

/// A middleware as the compiled features keep it, without its type.
@usableFromInline
class AnyMiddleware: @unchecked Sendable {  // Immutable, here and in its subclass.
    /// The slice of the feature that lists the middleware.
    final let lens: SliceLens
    final let type: any Middleware.Type

    fileprivate init(_ type: any Middleware.Type, at lens: SliceLens) {
        self.lens = lens
        self.type = type
    }
}

/// A middleware as the compiled features keep it.
@usableFromInline
final class TypedMiddleware<M: Middleware>: AnyMiddleware, @unchecked Sendable {  // Immutable.
    @usableFromInline let middleware: M

    init(_ middleware: M, at lens: SliceLens) {
        self.middleware = middleware
        super.init(M.self, at: lens)
    }
}

/// A middleware of a slice that has to be looked for: a computed property, an optional, a row.
///
/// While there is no such slice the action passes by. For a slice that goes away meanwhile, the
/// context keeps showing its last value. Each look copies the root state's struct.
struct SearchingMiddleware<M: Middleware>: Middleware {
    let middleware: M

    func handle<A: Action>(
        _ action: A, in context: borrowing MiddlewareContext<M.State>
    ) -> DispatchResult {
        guard let found = context.find() else { return context.next(action) }
        let last = AnyLastKnownValue(found)
        let chain = context.chain.pointee.with(last)
        let position = context.position
        return withExtendedLifetime(last) {
            withUnsafePointer(to: chain) {
                middleware.handle(action, in: MiddlewareContext($0, position))
            }
        }
    }
}

/// The last value of a slice that has to be looked for.
final class AnyLastKnownValue: Sendable {
    private let value: any Sendable

    init(_ value: any Sendable) {
        self.value = value
    }

    func `as`<Value>(_ type: Value.Type) -> Value? { value as? Value }
}
