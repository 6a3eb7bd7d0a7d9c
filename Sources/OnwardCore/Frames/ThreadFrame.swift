// SPDX-License-Identifier: MIT

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// What the current thread is in the middle of, for one store: delivering an entry, running
/// middleware, replaying entries, or computing a derived value.
///
/// Problem: a subscriber or a middleware that dispatches does so through the plain `dispatch` of a
/// store that it captured, so nothing in the call says that it is nested. Yet the entry needs its
/// parent, and loops need to be counted.
///
/// Strategy: frames live on the stack of the thread and are linked, innermost first; a
/// thread-specific slot points to the innermost one. A task local would follow into child tasks,
/// where nothing is nested any more, so it is not used. A dispatch looks the frame up only
/// while its store has a callback under way.
package struct ThreadFrame {
    package enum Kind {
        /// A call of foreign code that may dispatch.
        case callback
        /// Reducers run on a state that is not that of the store.
        case replay
        /// What is dispatched was decided elsewhere, as an entry of a log says.
        case recorded
        /// A derived value is computed: `engine` is not an engine but the value's node.
        case evaluation
        /// A derived value asks the member of a family that it chose: `engine` is its node, `version` that
        /// of the state it is asked for.
        case choice
    }

    package let engine: UnsafeRawPointer
    /// The entry being delivered, 0 for none.
    package let version: CommitVersion
    /// How many deliveries led to this one; -1 outside of any.
    package let generation: Int
    /// How many middlewares of this store that dispatched enclose this frame.
    let depth: Int
    /// The chain of dispatches that led here; nil while nothing was dispatched in a first delivery.
    package fileprivate(set) var chain: DispatchChain?
    /// The permit with which code dispatches, nil for none; kept by the code that pushed the frame.
    ///
    /// Not counted, as each frame of a delivery, and of an effect that dispatches, would do so twice.
    unowned(unsafe) let permit: (any DispatchPermit)?
    package let kind: Kind
    /// The stamp of an entry that is dispatched as it was recorded or proposed; kept by the code that pushed the frame.
    unowned(unsafe) let stamp: Stamp?
    fileprivate let outer: UnsafeRawPointer?

    /// The entry being delivered; nil for none.
    package var entry: CommitVersion? { version == 0 ? nil : version }

    /// Runs `body` with a frame on top of the current thread's frames.
    @inline(__always)
    package static func push<R>(
        engine: UnsafeRawPointer, version: CommitVersion = 0, generation: Int = 0, depth: Int = 0,
        chain: DispatchChain?, permit: (any DispatchPermit)? = nil, kind: Kind = .callback,
        stamp: Stamp? = nil, _ body: () -> R
    ) -> R {
        push(
            engine: engine, version: version, generation: generation, depth: depth, chain: chain,
            permit: permit, kind: kind, stamp: stamp
        ) { _ in body() }
    }

    /// The same for a body that looks at its frame.
    @inline(__always)
    static func push<R>(
        engine: UnsafeRawPointer, version: CommitVersion = 0, generation: Int = 0, depth: Int = 0,
        chain: DispatchChain?, permit: (any DispatchPermit)? = nil, kind: Kind = .callback,
        stamp: Stamp? = nil, _ body: (EnclosingFrame) -> R
    ) -> R {
        let slot = ThreadSlot()
        var frame = ThreadFrame(
            engine: engine, version: version, generation: generation, depth: depth, chain: chain,
            permit: permit, kind: kind, stamp: stamp, outer: slot.value)
        return withUnsafeMutablePointer(to: &frame) { pointer in
            withExtendedLifetime(permit) {
                slot.with(UnsafeRawPointer(pointer)) {
                    body(EnclosingFrame(UnsafePointer(pointer)))
                }
            }
        }
    }

    /// The innermost frame of the current thread that belongs to the store with `engine`.
    package static func innermost(of engine: UnsafeRawPointer) -> ThreadFrame? {
        place(of: engine)?.frame
    }

    /// Where that frame lies, for code that is called within it; a copy counts references.
    @inline(__always)
    static func place(of engine: UnsafeRawPointer) -> EnclosingFrame? {
        innermost { $0.pointee.engine == engine }.map(EnclosingFrame.init)
    }

    /// The chain that a dispatch in the innermost frame of a store continues; nil without a frame.
    ///
    /// It is made by the first one, and noted in the frame, so that all dispatches in it share one.
    static func chain(of engine: UnsafeRawPointer) -> DispatchChain? {
        var next = ThreadSlot.value
        while let pointer = next {
            let frame = UnsafeMutableRawPointer(mutating: pointer)
                .assumingMemoryBound(to: ThreadFrame.self)
            if frame.pointee.engine == engine {
                let chain = frame.pointee.chain ?? DispatchChain()
                frame.pointee.chain = chain
                return chain
            }
            next = frame.pointee.outer
        }
        return nil
    }

    /// The innermost frame of the current thread in which any derived value is being computed.
    package static var innermostEvaluation: ThreadFrame? {
        innermost { $0.pointee.kind == .evaluation }?.pointee
    }

    @inline(__always)
    private static func innermost(
        where isWanted: (UnsafePointer<ThreadFrame>) -> Bool
    ) -> UnsafePointer<ThreadFrame>? {
        var next = ThreadSlot.value
        while let pointer = next {
            let frame = pointer.assumingMemoryBound(to: ThreadFrame.self)
            if isWanted(frame) { return frame }
            next = frame.pointee.outer
        }
        return nil
    }
}

extension ThreadFrame {
    /// Runs `body` with the first frame of a thread, for one that runs middlewares and is in the middle
    /// of nothing else; returns nil, and runs nothing, on any other thread.
    @inline(__always)
    static func pushFirst<R>(engine: UnsafeRawPointer, _ body: () -> R) -> R? {
        let slot = ThreadSlot()
        guard slot.value == nil else { return nil }
        var frame = ThreadFrame(
            engine: engine, version: 0, generation: -1, depth: 1, chain: nil, permit: nil,
            kind: .callback, stamp: nil, outer: nil)
        return withUnsafeMutablePointer(to: &frame) { slot.with(UnsafeRawPointer($0), body) }
    }
}

/// A frame further out on the current thread, for code that runs within it: it must not be kept.
struct EnclosingFrame {
    private let pointer: UnsafePointer<ThreadFrame>

    fileprivate init(_ pointer: UnsafePointer<ThreadFrame>) {
        self.pointer = pointer
    }

    /// What the frame says, where it lies.
    var frame: ThreadFrame {
        @inline(__always) _read { yield pointer.pointee }
    }
}

/// One pointer per thread, for the thread that asks for it.
///
/// It lies in a cell of the thread's own, made by its first frame: writing there is quick, and
/// writing what the system keeps for a thread takes as much as calling a subscriber.
private struct ThreadSlot {
    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
    private typealias Cell = UnsafeMutablePointer<UnsafeRawPointer?>

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) { cell in
            // Optional on some platforms only.
            let cell: UnsafeMutableRawPointer? = cell
            cell?.deallocate()
        }
        precondition(
            status == 0, "The system has no thread-specific key left (error \(status)).")
        return key
    }()

    /// What the current thread's slot holds.
    static var value: UnsafeRawPointer? {
        @inline(__always) get { cell?.pointee }
    }

    private static var cell: Cell? {
        @inline(__always) get {
            pthread_getspecific(key)?.assumingMemoryBound(to: UnsafeRawPointer?.self)
        }
    }

    @inline(never)
    private static func makeCell() -> Cell {
        let cell = Cell.allocate(capacity: 1)
        cell.initialize(to: nil)
        pthread_setspecific(key, cell)
        return cell
    }

    private let cell: Cell

    @inline(__always)
    init() {
        cell = Self.cell ?? Self.makeCell()
    }

    var value: UnsafeRawPointer? {
        @inline(__always) get { cell.pointee }
    }

    /// Runs `body` with another value in the slot.
    @inline(__always)
    func with<R>(_ value: UnsafeRawPointer, _ body: () -> R) -> R {
        let outer = cell.pointee
        cell.pointee = value
        defer { cell.pointee = outer }
        return body()
    }
    #else
    // Platforms without POSIX threads: nested dispatches are not distinguished there.
    static var value: UnsafeRawPointer? { nil }
    var value: UnsafeRawPointer? { nil }
    func with<R>(_ value: UnsafeRawPointer, _ body: () -> R) -> R { body() }
    #endif
}

/// A chain of dispatches that answer each other: what all of them have in common, and near a limit, for
/// the report, the last actions, newest first.
///
/// `@unchecked Sendable`: immutable except for `answers` and `isReported`, which the store's lock guards.
package final class DispatchChain: @unchecked Sendable {
    private enum Place {
        case beginning
        case link(any Action, earlier: DispatchChain, beginning: DispatchChain)
    }

    private let place: Place
    /// How many answers to answers there were; of a beginning, and guarded by the store's lock.
    var answers = 0
    /// Whether it was reported that it does not end; of a beginning, and guarded by the store's lock.
    var isReported = false

    /// The beginning of a chain.
    init() {
        place = .beginning
    }

    init(_ action: any Action, after earlier: DispatchChain) {
        place = .link(action, earlier: earlier, beginning: earlier.beginning)
    }

    /// The beginning of the chain, where it is counted with all its branches.
    var beginning: DispatchChain {
        switch place {
        case .beginning: self
        case .link(_, earlier: _, let beginning): beginning
        }
    }

    /// The names of the newest actions without repetition, oldest first.
    func names(_ count: Int) -> [String] {
        var names: [String] = []
        var next: DispatchChain? = self
        var left = count
        while case .link(let action, let earlier, _)? = next?.place, left > 0 {
            let name = action.wireName
            if !names.contains(name) { names.append(name) }
            next = earlier
            left -= 1
        }
        return names.reversed()
    }
}

/// Which delivery a call belongs to, for a call that is made later.
package struct DeliveryMark: Sendable {
    /// The entry being notified.
    package let version: CommitVersion
    let generation: Int
    let chain: DispatchChain?
    /// The thread that delivers.
    package let thread = CurrentThread.id

    package init(version: CommitVersion, generation: Int, chain: DispatchChain?) {
        self.version = version
        self.generation = generation
        self.chain = chain
    }

    /// The same as if this thread delivered it.
    package var onThisThread: DeliveryMark {
        DeliveryMark(version: version, generation: generation, chain: chain)
    }

    /// The mark of a first call, made with the state of a version, inside another delivery or none.
    package init(first version: CommitVersion, inside outer: DeliveryMark?) {
        self.init(version: version, generation: outer?.generation ?? 0, chain: outer?.chain)
    }
}
