// SPDX-License-Identifier: MIT

import Onward
import OnwardCluster
import OnwardJournal
import Testing

struct OwnerTests {
    /// An owner of epoch 1 whose claim is the log's first entry.
    private func owner(_ change: (inout ClusterLimits) -> Void = { _ in }) throws -> Owner<Names> {
        var limits = ClusterLimits()
        change(&limits)
        var fold = Fold(Names(), window: limits.window)
        try fold.apply(claim(1, by: a), Names())
        return Owner(a, epoch: 1, on: fold, Names(), limits, now: .zero)
    }

    @Test func `answers a request once its entry is acknowledged`() throws {
        var owner = try owner()
        let first = owner.take(request(2, "x"), from: b)
        #expect(first == nil)
        let second = owner.nextAppend(1, now: .zero)
        let append = try #require(second)
        #expect(append.entries.map(\.position) == [entry(2, "x").position])
        #expect(append.after == claim(1, by: a).position)
        let (entries, answers) = owner.acknowledge(1)
        #expect(entries == append.entries)
        #expect(answers.map(\.node) == [b])
        #expect(answers.map(\.outcome) == [.accepted(2)])
    }

    @Test func `refuses what is for a state that has changed, once that is acknowledged`() throws {
        func demanding(_ number: UInt64, since version: CommitVersion) -> Request {
            Request(
                id: id(number), base: 0, unchangedSince: version, action: ActionDraft(name: "x"))
        }
        var owner = try owner()
        let early = owner.take(demanding(5, since: 1), from: b)
        #expect(early == nil)
        let late = owner.take(demanding(6, since: 1), from: b)
        #expect(late == nil)
        _ = owner.nextAppend(1, now: .zero)
        let (entries, answers) = owner.acknowledge(1)
        #expect(entries.count == 1)
        #expect(answers.map(\.outcome) == [.accepted(2), .refused(.outdated(2))])
        // What was done stays done, and the next one is for the state that there is.
        #expect(owner.take(demanding(5, since: 1), from: b) == .accepted(2))
        #expect(owner.take(demanding(6, since: 1), from: b) == .refused(.outdated(2)))
        let next = owner.take(demanding(6, since: 2), from: b)
        #expect(next == nil)
    }

    @Test func `appends all entries of a request together, the last with its id`() throws {
        var owner = try owner { $0.batch = 2 }
        _ = owner.take(request(5, "x+y+z"), from: a)
        _ = owner.take(request(6, "w"), from: a)
        let first = owner.nextAppend(1, now: .zero)
        let append = try #require(first)
        #expect(append.entries.map(\.name) == ["x", "y", "z"])
        #expect(append.entries.last?.id.request(in: 1) == id(5))
        let second = owner.nextAppend(2, now: .zero)
        #expect(second?.after == append.entries.last?.position)
    }

    @Test func `has no more appends under way than are allowed`() throws {
        var owner = try owner { ($0.batch, $0.pipeline) = (1, 2) }
        for number in 2...4 as ClosedRange<UInt64> { _ = owner.take(request(number, "x"), from: a) }
        let first = owner.nextAppend(1, now: .zero)
        #expect(first != nil)
        let second = owner.nextAppend(2, now: .zero)
        #expect(second != nil)
        let third = owner.nextAppend(3, now: .zero)
        #expect(third == nil)
        // The second vouches for the first.
        let fourth = owner.acknowledge(2)
        #expect(fourth.entries.map(\.version) == [2, 3])
        let fifth = owner.nextAppend(3, now: .zero)
        #expect(fifth?.entries.map(\.version) == [4])
    }

    @Test func `does a request once, and gives it its first answer again`() throws {
        var owner = try owner()
        _ = owner.take(request(2, "x"), from: a)
        let first = owner.take(request(2, "x"), from: b)
        #expect(first == nil)
        _ = owner.nextAppend(1, now: .zero)
        let second = owner.acknowledge(1)
        #expect(Set(second.answers.map(\.node)) == [a, b])
        let third = owner.take(request(2, "x"), from: b)
        #expect(third == .accepted(2))
        let fourth = owner.nextAppend(2, now: .zero)
        #expect(fourth == nil)
    }

    @Test func `refuses a request that it may have forgotten`() throws {
        var owner = try owner { $0.window = 1 }
        _ = owner.take(request(2, "x"), from: a)
        _ = owner.take(request(3, "y"), from: a)
        let first = owner.take(request(2, "x"), from: a)
        #expect(first == .refused(.forgotten))
        let second = owner.take(request(4, "z", since: 2), from: a)
        #expect(second == nil)
    }

    @Test func `says that nothing is let through once what that depends on is acknowledged`() throws
    {
        var owner = try owner()
        let first = owner.take(request(2, ""), from: a)
        #expect(first == .withheld)
        _ = owner.take(request(3, "x"), from: a)
        let second = owner.take(request(4, ""), from: a)
        #expect(second == nil)
        _ = owner.nextAppend(1, now: .zero)
        let third = owner.acknowledge(1)
        #expect(third.answers.map(\.outcome) == [.accepted(2), .withheld])
    }

    @Test func `refuses what an effect of another epoch proposes`() throws {
        var owner = try owner()
        let first = owner.take(request(2, "x", epoch: 0), from: a)
        #expect(first == .refused(.expired))
        let second = owner.take(request(2, "x", epoch: 1), from: a)
        #expect(second == nil)
    }

    @Test func `refuses more requests than may wait`() throws {
        var owner = try owner { $0.waiting = 2 }
        for number in 2...3 as ClosedRange<UInt64> {
            let first = owner.take(request(number, "x"), from: a)
            #expect(first == nil)
        }
        let second = owner.take(request(4, "x"), from: a)
        #expect(second == .refused(.overloaded))
    }

    @Test func `marks in the log what is acknowledged, once after a while`() throws {
        var owner = try owner { $0.mark = .seconds(1) }
        owner.mark(id(90), now: .seconds(0.5))
        let first = owner.nextAppend(1, now: .zero)
        #expect(first == nil)
        owner.mark(id(91), now: .seconds(1))
        let second = owner.nextAppend(1, now: .zero)
        let mark = try #require(second?.entries.first)
        #expect(Ownership(mark)?.acknowledged == claim(1, by: a).position)
        _ = owner.acknowledge(1)
        owner.mark(id(92), now: .seconds(9))
        let third = owner.nextAppend(2, now: .zero)
        #expect(third == nil)
    }

    @Test func `has a mark that is due before long go with the next append, and no other`() throws {
        var owner = try owner { $0.mark = .seconds(2) }
        owner.markAlong(id(90), now: .seconds(3))
        let nothing = owner.nextAppend(1, now: .seconds(3))
        #expect(nothing == nil)
        _ = owner.take(request(2, "x"), from: a)
        owner.markAlong(id(91), now: .seconds(0.9))
        owner.markAlong(id(92), now: .seconds(1))
        owner.markAlong(id(93), now: .seconds(1))
        let append = owner.nextAppend(1, now: .seconds(1))
        let entries = try #require(append?.entries)
        #expect(entries.map(\.version) == [2, 3])
        let mark = try #require(entries.last.flatMap { Ownership($0) })
        #expect(mark.acknowledged == claim(1, by: a).position)
        _ = owner.acknowledge(1)
        // What was acknowledged since is marked a while after that.
        owner.mark(id(94), now: .seconds(2.9))
        let early = owner.nextAppend(2, now: .seconds(2.9))
        #expect(early == nil)
        owner.mark(id(95), now: .seconds(3))
        let late = owner.nextAppend(2, now: .seconds(3))
        #expect(late?.entries.count == 1)
    }

    @Test func `marks in the log which durable work has ended, without waiting`() throws {
        var owner = try owner()
        _ = owner.take(request(2, "mail"), from: a)
        _ = owner.take(request(3, "x"), from: a)
        _ = owner.nextAppend(1, now: .zero)
        _ = owner.acknowledge(1)
        let work = entry(2, "mail").id
        owner.endWork(of: work)
        owner.endWork(of: work)
        // That has begun nothing.
        owner.endWork(of: entry(3, "x").id)
        owner.mark(id(90), now: .zero)
        let append = owner.nextAppend(2, now: .zero)
        let mark = try #require(append?.entries.first)
        #expect(Ownership(mark)?.ended == [work])
        _ = owner.acknowledge(2)
        owner.endWork(of: work)
        owner.mark(id(91), now: .zero)
        let nothing = owner.nextAppend(3, now: .zero)
        #expect(nothing == nil)
    }

    @Test func `takes no more that begins durable work than may wait`() throws {
        var owner = try owner { $0.waiting = 2 }
        for number in 2...3 as ClosedRange<UInt64> {
            _ = owner.take(request(number, "mail"), from: a)
            _ = owner.nextAppend(number, now: .zero)
            _ = owner.acknowledge(number)
        }
        #expect(owner.take(request(4, "x+mail"), from: a) == .refused(.overloaded))
        let other = owner.take(request(5, "x"), from: a)
        #expect(other == nil)
    }

    @Test func `is of no use once an append takes too long`() throws {
        var owner = try owner()
        _ = owner.take(request(2, "x"), from: a)
        _ = owner.nextAppend(1, now: .zero)
        #expect(!owner.isStuck(now: .seconds(2.9)))
        #expect(owner.isStuck(now: .seconds(3)))
    }

    @Test func `refuses an action that can't be read, and goes on`() throws {
        var owner = try owner()
        let first = owner.take(request(2, "garbage"), from: a)
        #expect(first == .refused(.unreadable))
        let second = owner.take(request(3, "x"), from: a)
        #expect(second == nil)
        let third = owner.nextAppend(1, now: .zero)
        #expect(third?.entries.map(\.name) == ["x"])
        #expect(!owner.isStuck(now: .zero))
    }

    @Test func `is of no use once it has decided what can't be folded`() throws {
        var owner = try owner()
        let first = owner.take(request(2, "x+unreadable"), from: a)
        #expect(first == .refused(.unreadable))
        #expect(owner.isStuck(now: .zero))
        let second = owner.nextAppend(1, now: .zero)
        #expect(second == nil)
    }
}
