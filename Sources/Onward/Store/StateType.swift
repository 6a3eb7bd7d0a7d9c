// SPDX-License-Identifier: MIT

/// What the engine, which knows no types, must be able to do with a root state.
class StateType: @unchecked Sendable {  // Stateless, here and in its one subclass.
    var name: String { "" }

    /// A copy of the state at `source` in memory of its own.
    func copy(_ source: UnsafeRawPointer) -> UnsafeMutableRawPointer {
        preconditionFailure("A state type without a type.")
    }

    /// Destroys the state at `pointer` and frees its memory.
    func destroy(_ pointer: UnsafeMutableRawPointer) {}

    /// Replaces the state at `target` by a copy of the one at `source`.
    func assign(_ target: UnsafeMutableRawPointer, from source: UnsafeRawPointer) {}
}

final class TypedState<State>: StateType, @unchecked Sendable {  // Stateless.
    override var name: String { TypeName.withoutModule(State.self) }

    override func copy(_ source: UnsafeRawPointer) -> UnsafeMutableRawPointer {
        let target = UnsafeMutablePointer<State>.allocate(capacity: 1)
        target.initialize(to: source.assumingMemoryBound(to: State.self).pointee)
        return UnsafeMutableRawPointer(target)
    }

    override func destroy(_ pointer: UnsafeMutableRawPointer) {
        let typed = pointer.assumingMemoryBound(to: State.self)
        typed.deinitialize(count: 1)
        typed.deallocate()
    }

    override func assign(_ target: UnsafeMutableRawPointer, from source: UnsafeRawPointer) {
        target.assumingMemoryBound(to: State.self).pointee =
            source.assumingMemoryBound(to: State.self).pointee
    }
}

/// A copy of a root state that nobody changes any more.
final class StateCopy: @unchecked Sendable {  // The memory is initialised once and then only read.
    let pointer: UnsafeRawPointer
    private let memory: UnsafeMutableRawPointer
    private let type: StateType

    init(of source: UnsafeRawPointer, _ type: StateType) {
        memory = type.copy(source)
        pointer = UnsafeRawPointer(memory)
        self.type = type
    }

    deinit {
        type.destroy(memory)
    }
}
