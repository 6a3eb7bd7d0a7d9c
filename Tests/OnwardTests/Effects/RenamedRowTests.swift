// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import OnwardEffects
@testable import TestSupport

private struct Letter: Identifiable, Sendable, Equatable {
    var id: String
    var text = ""
    var isOpen = true
    var stamps: EntityTable<Stamp> = []
}

private struct Stamp: Identifiable, Sendable, Equatable {
    let id: Int
    var isLoose = true
}

private struct Post: Sendable, Equatable {
    var letters: EntityTable<Letter> = [
        Letter(id: "a"), Letter(id: "temporary", stamps: [Stamp(id: 1)]), Letter(id: "c"),
    ]
}

private enum PostAction: Action {
    case saved(String, as: Letter)
    case savedAndReplaced(String, as: Letter)
    case removed(String)
    case opened
}

private enum LetterAction: Action { case send, sent(String), cancel }

/// Rows that get another id, such as the server's in place of a temporary one.
@Suite(.timeLimit(.minutes(5))) struct RenamedRowTests {
    private let barrier = Barrier()
    private let starts = Log<String>()
    private let changes = Log<String>()
    private let results = Log<DispatchResult>()

    private func makeStore() -> Store<Post> {
        Store(Post(), options: StoreOptions(clock: ManualClock())) {
            Reduce { (post: inout Post, action: PostAction) in
                switch action {
                case .saved(let old, let letter): post.letters.rename(id: old, to: letter)
                case .removed(let id): post.letters.remove(id: id)
                case .opened: break
                case .savedAndReplaced(let old, let letter):
                    post.letters.rename(id: old, to: letter)
                    post.letters.append(Letter(id: old, text: "another"))
                }
            }
            Scope(each: \.letters) {
                Reduce { (letter: inout Letter, action: LetterAction) in
                    if case .sent(let text) = action { letter.text = text }
                }
                OnAction { [barrier, results] (action: LetterAction, context) -> Effect in
                    switch action {
                    case .send:
                        .run(id: "send", .latest) {
                            await barrier.pass()
                            results.append(context.dispatch(LetterAction.sent(context.current.id)))
                        }
                    case .cancel: .cancel(id: "send")
                    case .sent: .none
                    }
                }
                While(\.isOpen) { [starts] _, context in
                    starts.append("open \(context.current.id)")
                    try await context.clock.sleep(for: .seconds(9))
                }
                While(.selecting { $0.text.isEmpty }) { [starts] _, context in
                    starts.append("empty \(context.current.id)")
                    try await context.clock.sleep(for: .seconds(9))
                }
                OnChange(of: \.text) { [changes] old, new, context in
                    changes.append("\(context.address) \(old) → \(new)")
                    return .none
                }
                Scope(each: \.stamps) {
                    While(\.isLoose) { [starts] _, context in
                        starts.append("loose \(context.address)")
                        try await context.clock.sleep(for: .seconds(9))
                    }
                }
            }
        }
    }

    private func letter(_ id: String) -> Address { Address("letters/#\(id)") ?? .root }

    private func waitForStarts(_ count: Int) async {
        while starts.all.count < count { await Task.yield() }
    }

    @Test func `what a state keeps alive lives on, under the new id`() async {
        let store = makeStore()
        await waitForStarts(7)
        let before = store.diagnostics.runningEffects
        let stamps = store.state.letters[id: "temporary"]?.stamps ?? []
        store.dispatch(
            PostAction.saved("temporary", as: Letter(id: "7", stamps: stamps)))
        let after = store.diagnostics.runningEffects
        #expect(after.map(\.number) == before.map(\.number))
        #expect(
            Set(after.map(\.address.description))
                == ["letters/#a", "letters/#7", "letters/#c", "letters/#7/stamps/#1"])
        #expect(store.state.letters.map(\.id) == ["a", "7", "c"])
        await store.shutdown()
        #expect(starts.all.count == 7)
    }

    @Test func `a running effect answers the row, and reads it, wherever that is`() async {
        let store = makeStore()
        store.dispatch(LetterAction.send, to: letter("temporary"))
        store.dispatch(PostAction.savedAndReplaced("temporary", as: Letter(id: "7")))
        barrier.open()
        await store.waitUntilIdle()
        #expect(results.all == [.accepted(3)])
        #expect(store.state.letters[id: "7"]?.text == "7")
        #expect(store.state.letters[id: "temporary"]?.text == "another")
        await store.shutdown()
    }

    @Test func `the names of its effects are its own, also where another row has its old id`()
        async
    {
        let store = makeStore()
        store.dispatch(LetterAction.send, to: letter("temporary"))
        store.dispatch(PostAction.savedAndReplaced("temporary", as: Letter(id: "7")))
        store.dispatch(LetterAction.send, to: letter("temporary"))
        func running() -> [String] {
            store.diagnostics.runningEffects.filter { $0.kind == .action && $0.phase == .running }
                .map(\.address.description)
        }
        #expect(running() == ["letters/#7", "letters/#temporary"])
        store.dispatch(LetterAction.cancel, to: letter("temporary"))
        #expect(running() == ["letters/#7"])
        store.dispatch(LetterAction.send, to: letter("7"))
        #expect(running() == ["letters/#7"])
        store.dispatch(LetterAction.cancel, to: letter("7"))
        #expect(running().isEmpty)
        barrier.open()
        await store.shutdown()
    }

    @Test func `its changes are noticed, also that of the commit that renames it`() async {
        let store = makeStore()
        await waitForStarts(7)
        let saved = Letter(id: "7", text: "saved")
        store.dispatch(PostAction.savedAndReplaced("temporary", as: saved))
        #expect(changes.all == ["letters/#7  → saved"])
        store.dispatch(LetterAction.sent("sent"), to: letter("7"))
        #expect(changes.all == ["letters/#7  → saved", "letters/#7 saved → sent"])
        store.dispatch(LetterAction.sent("other"), to: letter("temporary"))
        #expect(changes.all.last == "letters/#temporary another → other")
        let empty = store.diagnostics.runningEffects.filter {
            $0.address == letter("7") && $0.phase == .running
        }
        #expect(empty.count == 1)
        await store.shutdown()
    }

    @Test func `its effects end with it under the new id`() async {
        let store = makeStore()
        store.dispatch(LetterAction.send, to: letter("temporary"))
        store.dispatch(PostAction.saved("temporary", as: Letter(id: "7")))
        store.dispatch(PostAction.saved("7", as: Letter(id: "8")))
        store.dispatch(PostAction.removed("8"))
        barrier.open()
        await store.waitUntilIdle()
        #expect(results.all.isEmpty || results.all == [.refused(.expired)])
        #expect(store.diagnostics.runningEffects.allSatisfy { $0.address != letter("8") })
        await store.shutdown()
    }

    @Test func `an effect that starts while its row is renamed is the row's`() async {
        let other = Guarded<(@Sendable () -> Void)?>(nil)
        var closed = Post()
        closed.letters.updateEach { $0.isOpen = false }
        let store = Store(closed) {
            Reduce { (post: inout Post, action: PostAction) in
                switch action {
                case .opened: post.letters.updateEach { $0.isOpen = true }
                case .saved, .savedAndReplaced:
                    post.letters.rename(id: "temporary", to: Letter(id: "7"))
                    post.letters.append(Letter(id: "temporary"))
                case .removed(let id): post.letters.remove(id: id)
                }
            }
            Scope(each: \.letters) {
                While(\.isOpen) { _, _ in
                    let nothing = AsyncStream<Int> { _ in }
                    for await _ in nothing {}
                }
                .modifying { effect in
                    other.withValue { $0.take() }?()
                    return effect
                }
            }
        }
        other.withValue { other in
            other = {
                _ = store.dispatch(PostAction.savedAndReplaced("temporary", as: Letter(id: "7")))
            }
        }
        func running() -> Set<String> {
            Set(
                store.diagnostics.runningEffects.filter { $0.phase == .running }
                    .map(\.address.description))
        }
        store.dispatch(PostAction.opened)
        #expect(running() == Set(["a", "7", "c", "temporary"].map { "letters/#\($0)" }))
        store.dispatch(PostAction.removed("temporary"))
        #expect(running() == Set(["a", "7", "c"].map { "letters/#\($0)" }))
        store.dispatch(PostAction.removed("7"))
        #expect(running() == Set(["a", "c"].map { "letters/#\($0)" }))
        await store.shutdown()
    }

    @Test func `subscribers of an id learn that the row has gone, or has come`() {
        let store = makeStore()
        let seen = Log<String>()
        let tokens = ["temporary", "7"].map { id in
            store.subscribe(.row(\.letters, id: id)) { old, new in
                seen.append("\(id): \(old?.id ?? "none") → \(new?.id ?? "none")")
            }
        }
        store.dispatch(PostAction.saved("temporary", as: Letter(id: "7")))
        #expect(seen.all == ["temporary: temporary → none", "7: none → 7"])
        withExtendedLifetime(tokens) {}
    }
}
