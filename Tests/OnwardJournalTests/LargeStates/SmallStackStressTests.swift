// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import Testing

/// Large states on a thread of 512 kB, as the threads of Apple's pools are.
///
/// In an optimised build a state that is large inline is kept on the heap, and comes onto the stack
/// a few times at most. A build for debugging has a copy for each temporary: its thread is larger.
struct SmallStackStressTests {
    @Test func `a state of 64 kB is dispatched, read and observed on a stack of 512 kB`()
        async throws
    {
        let store = makeStore()
        try await onSmallStack {
            let seen = Guarded(0)
            let token = store.subscribe(\.first.a.count) { _, new in seen.withValue { $0 += new } }
            let whole = store.subscribe(\.block.back.h.h.h.h) { _, new in
                seen.withValue { $0 += new }
            }
            for _ in 0..<3 { store.dispatch(LargeAction.count) }
            store.dispatch(LargeAction.mark)
            #expect(seen.withValue { $0 } == 13)
            #expect(store[\.last.j.count] == 3)
            store.batch { store.dispatch(LargeAction.count) }
            #expect(store[\.first.a.count] == 4)
            token.cancel()
            whole.cancel()
        }
    }

    @Test func `a state of 64 kB is travelled and undone on a stack of 512 kB`() async throws {
        let store = makeStore()
        try await onSmallStack {
            let history = History(of: store)
            for _ in 0..<3 { store.dispatch(LargeAction.count) }
            history.jump(to: 1)
            #expect(store[\.last.j.count] == 1)
            history.jump(to: 3)
            #expect(store[\.last.j.count] == 3)
            history.detach()
            store.dispatch(LargeAction.mark)
            if let undo = store[\.undo].undo { store.dispatch(undo) }
            #expect(store[\.block.back.h.h.h.h] == 0)
        }
    }

    @Test func `a log of a state of 64 kB is replayed on a stack of 512 kB`() async throws {
        let store = makeStore()
        let entries = (1...3).map { LogEntry(version: $0, action: LargeAction.count) }
        try await onSmallStack {
            #expect(store.log.replay(entries, from: store.state).last.j.count == 3)
        }
    }

    private static let stackSize: Int = {
        var size = 512 << 10
        assert({ size = 16 << 20 }() == ())
        return size
    }()

    private func onSmallStack(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            let thread = Thread { continuation.resume(with: Result(catching: body)) }
            thread.stackSize = Self.stackSize
            thread.start()
        }
    }
}

// MARK: - A large state

/// 64 kB that lie in the state itself.
private struct Block: Equatable, Sendable, Codable {
    struct Words8: Sendable { var a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0 }
    struct Words64: Sendable {
        var a = Words8(), b = Words8(), c = Words8(), d = Words8()
        var e = Words8(), f = Words8(), g = Words8(), h = Words8()
    }
    struct Words512: Sendable {
        var a = Words64(), b = Words64(), c = Words64(), d = Words64()
        var e = Words64(), f = Words64(), g = Words64(), h = Words64()
    }
    struct Words4096: Sendable {
        var a = Words512(), b = Words512(), c = Words512(), d = Words512()
        var e = Words512(), f = Words512(), g = Words512(), h = Words512()
    }

    var front = Words4096()
    var back = Words4096()

    init() {}

    static func == (left: Block, right: Block) -> Bool { left.last == right.last }

    var last: Int {
        get { back.h.h.h.h }
        set { back.h.h.h.h = newValue }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(last)
    }

    init(from decoder: any Decoder) throws {
        last = try decoder.singleValueContainer().decode(Int.self)
    }
}

private struct Leaf: Equatable, Sendable, Codable { var count = 0 }

private struct Ten: Equatable, Sendable, Codable {
    var a = Leaf(), b = Leaf(), c = Leaf(), d = Leaf(), e = Leaf()
    var f = Leaf(), g = Leaf(), h = Leaf(), i = Leaf(), j = Leaf()
}

private struct Large: Equatable, Sendable, Codable {
    var block = Block()
    var first = Ten(), second = Ten(), third = Ten(), fourth = Ten(), fifth = Ten()
    var sixth = Ten(), seventh = Ten(), eighth = Ten(), ninth = Ten(), last = Ten()
    var undo = UndoStack<Block>()
}

private enum LargeAction: Action, Codable { case count, mark }

private let leaf = Feature<Leaf> {
    Reduce { (leaf, action: LargeAction) in if action == .count { leaf.count += 1 } }
}

private let ten = Feature<Ten> {
    Scope(\.a, leaf)
    Scope(\.b, leaf)
    Scope(\.c, leaf)
    Scope(\.d, leaf)
    Scope(\.e, leaf)
    Scope(\.f, leaf)
    Scope(\.g, leaf)
    Scope(\.h, leaf)
    Scope(\.i, leaf)
    Scope(\.j, leaf)
}

private func makeStore() -> Store<Large> {
    Store(Large()) {
        Scope(\.first, ten)
        Scope(\.second, ten)
        Scope(\.third, ten)
        Scope(\.fourth, ten)
        Scope(\.fifth, ten)
        Scope(\.sixth, ten)
        Scope(\.seventh, ten)
        Scope(\.eighth, ten)
        Scope(\.ninth, ten)
        Scope(\.last, ten)
        Undoable(\.block, stack: \.undo) {
            Reduce { (large: inout Large, action: LargeAction) in
                if action == .mark { large.block.last = 7 }
            }
        }
        .recording(LargeAction.self) { $0 == .mark ? .step : .ignore }
    }
}
