// SPDX-License-Identifier: MIT

internal import Synchronization

/// What an action carries through the middlewares of one program.
///
/// One object, passed by reference, instead of a struct of five references that every stage would
/// have to count. An engine has one that it uses again and again, for one action at a time
/// (see `Engine.claimPassage`); actions that meet it in use get one of their own.
@usableFromInline
// Written only by the thread that claimed it, before it sends its action, hence `@unchecked`.
final class Passage: @unchecked Sendable {
    /// Kept alive by `keeper`, or by the caller of the dispatch that is on its way.
    private let unownedEngine: Unmanaged<Engine>
    /// The engine for a passage that outlives the dispatch; nil for one that the engine owns itself.
    private let keeper: Engine?
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
    /// The thread whose action is on its way with it, 0 for none.
    private let thread = Atomic<UInt>(0)
    private let retired = Atomic<Bool>(false)

    /// A passage of a program; with `keepsEngine` one that may outlive the dispatch.
    init(
        engine: Engine, keepsEngine: Bool, program: Program, address: Address = .root,
        origin: Origin = Origin(file: "", line: 0), isolation: (any Actor)? = nil
    ) {
        unownedEngine = .passUnretained(engine)
        keeper = keepsEngine ? engine : nil
        self.program = program
        stages = program.stages
        self.address = address
        self.origin = origin
        self.isolation = isolation
    }

    /// The engine to which the action goes.
    var engine: Engine { unownedEngine.takeUnretainedValue() }

    /// Whether an action of a thread is on its way with it.
    func isClaimed(by thread: UInt) -> Bool { self.thread.load(ordering: .relaxed) == thread }

    /// Whether no action is on its way with it.
    var isFree: Bool { thread.load(ordering: .acquiring) == 0 }

    /// Whether its program was replaced while an action was on its way with it.
    var isRetired: Bool {
        get { retired.load(ordering: .relaxed) }
        set { retired.store(newValue, ordering: .relaxed) }
    }

    /// Makes a free passage carry an action.
    ///
    /// Under the engine's lock.
    @inline(__always)
    func claim(
        by thread: UInt, _ address: Address, _ origin: Origin, _ isolation: (any Actor)?
    ) {
        self.thread.store(thread, ordering: .relaxed)
        self.address = address
        self.origin = origin
        self.isolation = isolation
    }

    /// Makes it free again; by the thread that claimed it.
    @inline(__always)
    func free() {
        thread.store(0, ordering: .releasing)
    }

    /// A passage for the rest of the way, to be gone later and on another thread, where the actor of
    /// the first one means nothing.
    func deferred() -> Passage {
        Passage(
            engine: engine, keepsEngine: true, program: program, address: address, origin: origin)
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
            unownedEngine._withUnsafeGuaranteedRef {
                $0.finish(A.self, pointer, to: address, from: origin, on: isolation)
            }
        }
    }
}
