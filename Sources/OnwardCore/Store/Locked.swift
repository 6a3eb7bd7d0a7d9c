// SPDX-License-Identifier: MIT

/// The proof that the current thread holds the lock of an engine, and the only way to what that protects.
///
/// It can't be kept, copied or lost. A function that borrows it runs under the lock; one that takes it `inout` may free
/// the lock meanwhile; one that consumes it is handed the lock, and has freed it when it returns.
@usableFromInline
package struct Locked: ~Copyable {
    private let pointer: UnsafeMutablePointer<EngineState>

    /// Only ``Engine`` makes one, when it has taken its lock.
    @inline(__always)
    init(_ pointer: UnsafeMutablePointer<EngineState>) {
        self.pointer = pointer
    }

    deinit { Self.isLost() }

    @inline(never)
    private static func isLost() {
        preconditionFailure("A thread has forgotten that it holds the lock of an engine.")
    }

    /// Ends the proof; only ``Engine`` says so, when it frees its lock.
    @inline(__always)
    consuming func end() { discard self }

    /// What the lock protects, for one access.
    ///
    /// No longer, as a reducer may cancel subscriptions of its own store.
    var state: EngineState {
        @inline(__always) _read { yield pointer.pointee }
        @inline(__always) nonmutating _modify { yield &pointer.pointee }
    }
}

// What the layers above ask for. All is computed: a stored property that they could reach themselves would be checked
// for exclusive access, which takes 80 instructions of each commit.
extension Locked {
    @usableFromInline
    package var version: Version { state.version }

    /// Whether the store has ended.
    package var hasEnded: Bool { state.isClosed }

    /// Whether nothing is being delivered and nothing waits to be.
    package var isAtRest: Bool { state.isAtRest }

    /// Whether the store lives.
    package var timelineState: TimelineState { state.timelines.state }

    /// Where the state of the app lies.
    package var root: UnsafeMutableRawPointer { state.root }

    /// Where the value of a getter without `derive` lies.
    @usableFromInline
    package func address(at offset: Int) -> UnsafeRawPointer {
        UnsafeRawPointer(state.root + offset)
    }

    /// A copy of the state of the app.
    func copyState() -> ValueCopy { ValueCopy(of: state.root, state.stateType) }
}
