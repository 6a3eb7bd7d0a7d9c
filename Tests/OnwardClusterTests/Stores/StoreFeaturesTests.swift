// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import Testing

@testable import OnwardCluster

/// Keeps an action until it is let go.
private struct Late: Middleware {
    let kept: Guarded<[DeferredDispatch]>

    func handle<A: Action>(
        _ action: A, in context: borrowing MiddlewareContext<Ledger>
    ) -> DispatchResult {
        guard case .add("late")? = action as? LedgerAction else { return context.next(action) }
        let rest = context.deferred()
        kept.withValue { $0.append(rest) }
        return .withheld
    }
}

struct StoreFeaturesTests {
    private let kept = Guarded<[DeferredDispatch]>([])
    private let late = Guarded<[String]>([])

    private var features: StoreFeatures<Ledger> {
        StoreFeatures(
            Ledger(), ClusteredStoreOptions(), StoreOptions(),
            { [kept] in
                [
                    Late(kept: kept),
                    Reduce { (ledger: inout Ledger, action: LedgerAction) in
                        switch action {
                        case .add(let line): ledger.lines.append(line)
                        case .open(let isOpen): ledger.isOpen = isOpen
                        }
                    },
                    OnAction { (_: LedgerAction, _: EffectContext<Ledger>) -> Effect in
                        Issue.record("an effect has started")
                        return .none
                    },
                ]
            },
            late: { [late] pending in late.withValue { $0.append(pending.action.wireName) } })
    }

    private func draft(_ action: LedgerAction) throws -> ActionDraft {
        try features.draft(of: action, to: .root, from: ActionOrigin())
    }

    enum LedgerRefusal: RefusalReason {
        case isFull(lines: Int)
        var sentence: String { "There is no room." }
    }

    @Test func `a check refuses with a reason that another node can read, and folds ask no check`()
        throws
    {
        let features = StoreFeatures(
            Ledger(), ClusteredStoreOptions(), StoreOptions(),
            {
                [
                    Reduce { (ledger: inout Ledger, action: LedgerAction, stamp) in
                        if case .add(let line) = action {
                            ledger.lines.append("\(line) \(stamp.id()) \(stamp.author ?? "")")
                        }
                    },
                    Check { (ledger: Ledger, _: LedgerAction) throws(LedgerRefusal) in
                        if ledger.lines.count >= 2 { throw .isFull(lines: ledger.lines.count) }
                    },
                ]
            }, late: { _ in })
        let asked = EntryStamp(seed: 1, time: Timestamp(nanosecondsSince1970: 1), author: "ann")
        let draft = try features.draft(
            of: LedgerAction.add("x"), to: .root, from: ActionOrigin(), stamp: asked)
        let full = try features.decision(about: draft, on: Ledger(lines: ["a", "b"]))
        #expect(full.actions.isEmpty)
        let failure = try #require(full.failure.flatMap { FailedProposal($0.message) })
        #expect(failure.reason() == LedgerRefusal.isFull(lines: 2))
        #expect(failure.sentence == "There is no room.")

        // Accepted, it is stamped by the owner, in the name of who asked; each node folds it alike.
        let decided = try #require(try features.decision(about: draft, on: Ledger()).actions.first)
        let entry = JournalEntry(
            version: 1, name: decided.name, schema: decided.schema, payload: decided.payload,
            address: decided.address, origin: decided.origin)
        var (one, other) = (Ledger(), Ledger(lines: ["a", "b"]))
        try features.reduce(entry, into: &one)
        try features.reduce(entry, into: &other)
        #expect(one.lines.last == other.lines.last && other.lines.count == 3)
        #expect(one.lines.first?.hasSuffix(" ann") == true)
    }

    @Test func `decides on the state that it is given, and starts nothing`() throws {
        let features = features
        let draft = try draft(.add("x"))
        for lines in [["a"], [], ["b", "c"]] {
            let drafts = try features.decide(draft, on: Ledger(lines: lines))
            #expect(drafts.map(\.payload) == [draft.payload])
        }
    }

    @Test func `what a middleware passes on later is reported, and decides nothing`() throws {
        let features = features
        #expect(try features.decide(draft(.add("late")), on: Ledger()) == [])
        for rest in kept.withValue({ $0 }) { rest.next(LedgerAction.add("at last")) }
        #expect(late.withValue { $0 } == ["LedgerAction/add"])
        #expect(try features.decide(draft(.add("x")), on: Ledger()).count == 1)
    }

    @Test(arguments: [
        ActionDraft(name: "Nobody/knows"), ActionDraft(name: "LedgerAction/add", payload: [255]),
        ActionDraft(name: "LedgerAction/add", schema: 9, payload: [0xA0]),
        ActionDraft(name: "LedgerAction/gone", payload: [0xA0]),
    ])
    func `an action that can't be read is refused`(draft: ActionDraft) {
        let error = #expect(throws: JournalError.self) {
            try features.decide(draft, on: Ledger())
        }
        #expect(error?.code == .unreadable)
    }

    @Test func `a name that not every journal can keep is refused`() {
        let error = #expect(throws: JournalError.self) {
            try features.draft(
                of: LedgerAction.add("x"), to: .root, from: ActionOrigin(file: "a\0b", line: 1))
        }
        #expect(error?.code == .invalid)
    }

    @Test func `features that differ in durable work have other fingerprints`() {
        func fingerprint(
            @FeatureBuilder<Ledger> _ features: @escaping @Sendable () -> [any Part<Ledger>]
        ) -> FeatureFingerprint {
            StoreFeatures(
                Ledger(), ClusteredStoreOptions(), StoreOptions(), features, late: { _ in }
            ).fingerprint
        }
        let reduce = Reduce { (_: inout Ledger, _: LedgerAction) in }
        let plain = fingerprint { reduce }
        let durable = fingerprint {
            reduce
            Durable { (_: LedgerAction) -> Bool? in
                true
            } run: { _, _ in
            }
        }
        #expect(plain != durable)
        #expect(plain == fingerprint { reduce })
    }

    @Test func `a state is in a snapshot as it was`() throws {
        let ledger = Ledger(lines: ["a", "b"], isOpen: true)
        #expect(try features.state(of: features.value(of: ledger)) == ledger)
        #expect(throws: JournalError.self) { try features.state(of: ["schema": 1]) }
    }
}
