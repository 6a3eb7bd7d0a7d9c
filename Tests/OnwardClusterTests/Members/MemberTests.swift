// SPDX-License-Identifier: MIT

import Onward
import OnwardCluster
import OnwardJournal
import Testing

/// Members of one store in front of a journal that acknowledges at once.
private struct Bench {
    var log: [JournalEntry] = []
    var answers: [EntryID: ProposalOutcome] = [:]
    var sent: [(message: Message, node: NodeID)] = []
    var others: [Step] = []
    /// What becomes of appends.
    var outcome = AppendOutcome.acknowledged

    /// Performs steps of a member until it wants nothing any more.
    mutating func perform(_ steps: [Step], _ member: inout Member<Names>, now: Duration) {
        for step in steps {
            switch step {
            case .read(let version, let limit):
                let entries = Array(log.filter { $0.version >= version }.prefix(limit))
                perform(member.read(entries, from: version, now: now), &member, now: now)
            case .readSnapshot:
                perform(member.install(nil, now: now), &member, now: now)
            case .append(let entries, let after, let number):
                let isExpected = (log.last?.position ?? .start) == after
                if isExpected, outcome == .acknowledged { log += entries }
                perform(
                    member.finish(number, isExpected ? outcome : .refused, now: now), &member,
                    now: now)
            case .answer(let id, let outcome): answers[id] = outcome
            case .send(let message, let node): sent.append((message, node))
            default: others.append(step)
            }
        }
    }
}

struct MemberTests {
    private func member(_ node: NodeID) -> Member<Names> {
        Member(node, of: "s", Names(), ClusterLimits(), run: node == a ? 1 : 2)
    }

    /// A member that owns the store, and its journal.
    private func owning(_ bench: inout Bench) -> Member<Names> {
        var member = member(a)
        bench.perform(
            member.propose(request(1, "x"), neighbours([a]), now: .zero), &member, now: .zero)
        for tenth in 0...5 {
            let now = Duration.milliseconds(100 * tenth)
            bench.perform(member.tick(neighbours([a]), now: now), &member, now: now)
        }
        return member
    }

    @Test func `owns a store that nobody owns once it is asked for it, and answers`() {
        var bench = Bench()
        let member = owning(&bench)
        #expect(member.isOwning)
        #expect(bench.log.map(\.kind) == [.ownership, .action])
        #expect(bench.answers[id(1)] == .accepted(2))
        #expect(member.replica.fold.state == ["x"])
    }

    @Test func `leaves a store alone whose owner is there`() {
        var bench = Bench(log: [claim(1, by: b)])
        var member = member(a)
        for second in 0...20 {
            let now = Duration.seconds(second)
            bench.perform(member.tick(neighbours([a, b]), now: now), &member, now: now)
        }
        #expect(bench.log.count == 1)
    }

    @Test func `takes a store whose owner is silent, and shows what that has left`() {
        var bench = Bench(log: [claim(1, by: b), entry(2, "x")])
        var member = member(a)
        for tenth in 0...5 {
            let now = Duration.milliseconds(100 * tenth)
            bench.perform(member.tick(neighbours([a]), now: now), &member, now: now)
        }
        #expect(member.isOwning)
        #expect(bench.log.last?.epoch == 2)
        #expect(member.replica.fold.state == ["x"])
    }

    @Test func `doesn't take back within ten seconds what it has lost`() {
        var bench = Bench()
        var member = owning(&bench)
        bench.log.append(claim(3, by: b, epoch: 2))
        var owned: Int?
        for second in 1...20 where owned == nil {
            let now = Duration.seconds(second)
            bench.perform(member.tick(neighbours([a]), now: now), &member, now: now)
            if second > 1, member.isOwning { owned = second }
        }
        #expect(bench.log.last?.epoch == 3)
        #expect((owned ?? 0) >= 11)
    }

    @Test func `gives up when an append is refused, and has its requests run again`() {
        var bench = Bench()
        var member = owning(&bench)
        bench.log += [claim(3, by: b, epoch: 2)]
        bench.perform(
            member.propose(request(5, "y"), neighbours([a, b]), now: .seconds(1)), &member,
            now: .seconds(1))
        #expect(!member.isOwning)
        #expect(bench.others.contains(.end(epoch: 1)))
        #expect(bench.log.count == 3)
        bench.perform(
            member.tick(neighbours([a, b]), now: .seconds(1.1)), &member, now: .seconds(1.1))
        #expect(bench.sent.contains { $0.node == b && $0.message == .propose(request(5, "y")) })
    }

    @Test func `finds in its next epoch what became of an append of which nobody knew`() {
        var bench = Bench()
        var member = owning(&bench)
        bench.outcome = .unknown
        bench.perform(
            member.propose(request(5, "y"), neighbours([a]), now: .seconds(1)), &member,
            now: .seconds(1))
        #expect(!member.isOwning)
        // It has landed, though nobody said so.
        bench.log.append(
            JournalEntry(version: 3, id: id(5).entry(in: 1), epoch: 1, name: "y"))
        bench.outcome = .acknowledged
        for tenth in 11...20 {
            let now = Duration.milliseconds(100 * tenth)
            bench.perform(member.tick(neighbours([a]), now: now), &member, now: now)
        }
        #expect(bench.answers[id(5)] == .accepted(3))
        #expect(member.replica.fold.state == ["x", "y"])
        #expect(bench.log.count { $0.name == "y" } == 1)
    }

    @Test func `starts effects of what it has decided, after the acknowledgement`() {
        var bench = Bench()
        var member = owning(&bench)
        #expect(bench.others.contains(.start(bench.log[1])))
        bench.others = []
        bench.outcome = .unknown
        bench.perform(
            member.propose(request(5, "y"), neighbours([a]), now: .seconds(1)), &member,
            now: .seconds(1))
        #expect(!bench.others.contains { if case .start = $0 { true } else { false } })
    }

    @Test
    func `begins durable work once it is acknowledged, and says in the log that it has ended`() {
        var bench = Bench()
        var member = owning(&bench)
        bench.perform(
            member.propose(request(5, "mail"), neighbours([a]), now: .seconds(0.6)), &member,
            now: .seconds(0.6))
        let entry = bench.log[2]
        #expect(bench.others.contains(.beginWork(entry, epoch: 1)))
        // Of another epoch: whoever does it now, it isn't this task.
        bench.perform(
            member.endWork(of: entry.id, epoch: 7, now: .seconds(0.7)), &member, now: .seconds(0.7))
        bench.perform(
            member.tick(neighbours([a]), now: .seconds(0.7)), &member, now: .seconds(0.7))
        #expect(bench.log.count == 3)
        bench.perform(
            member.endWork(of: entry.id, epoch: 1, now: .seconds(0.8)), &member, now: .seconds(0.8))
        bench.perform(
            member.tick(neighbours([a]), now: .seconds(0.8)), &member, now: .seconds(0.8))
        #expect(bench.log.last.flatMap { Ownership($0) }?.ended == [entry.id])
        #expect(member.replica.fold.work.entries.isEmpty)
    }

    @Test func `begins durable work again where it takes a store, unless that has ended`() {
        let (done, left) = (entry(2, "mail x"), entry(3, "mail y"))
        var bench = Bench(log: [claim(1, by: b), done, left, claim(4, by: b, ended: [done.id])])
        var member = member(a)
        for tenth in 0...5 {
            let now = Duration.milliseconds(100 * tenth)
            bench.perform(member.tick(neighbours([a]), now: now), &member, now: now)
        }
        let begun = bench.others.filter { if case .beginWork = $0 { true } else { false } }
        #expect(begun == [.beginWork(left, epoch: 2)])
    }

    @Test func `answers a proposal in the end, though nobody does`() {
        var bench = Bench(log: [claim(1, by: b)])
        var member = member(a)
        bench.perform(member.tick(neighbours([a, b]), now: .zero), &member, now: .zero)
        bench.perform(
            member.propose(request(5, "y"), neighbours([a, b]), now: .zero), &member, now: .zero)
        bench.perform(member.tick(neighbours([a, b]), now: .seconds(9)), &member, now: .seconds(9))
        #expect(bench.answers[id(5)] == nil)
        #expect(bench.sent.count >= 2)
        bench.perform(
            member.tick(neighbours([a, b]), now: .seconds(10)), &member, now: .seconds(10))
        #expect(bench.answers[id(5)] == .unanswered)
    }

    @Test func `answers when its replica has what was accepted`() {
        var bench = Bench(log: [claim(1, by: b)])
        var member = member(a)
        bench.perform(member.tick(neighbours([a, b]), now: .zero), &member, now: .zero)
        bench.perform(
            member.propose(request(2, "x"), neighbours([a, b]), now: .zero), &member, now: .zero)
        bench.perform(
            member.receive(.answer(id(2), .accepted(2)), from: b, now: .zero), &member, now: .zero)
        #expect(bench.answers[id(2)] == nil)
        bench.log.append(entry(2, "x"))
        bench.perform(
            member.receive(.acknowledged(entry(2, "x").position), from: b, now: .zero), &member,
            now: .zero)
        #expect(bench.answers[id(2)] == .accepted(2))
        #expect(member.replica.fold.state == ["x"])
    }

    @Test func `shows what a message has, and reads nothing for it`() {
        var bench = Bench(log: [claim(1, by: b)])
        var member = member(a)
        bench.perform(member.tick(neighbours([a, b]), now: .zero), &member, now: .zero)
        let steps = member.receive(
            .acknowledged(
                entry(2, "x").position, entries: [entry(2, "x")],
                after: claim(1, by: b).position),
            from: b, now: .zero)
        #expect(steps == [.show([claim(1, by: b), entry(2, "x")])])
        #expect(member.replica.fold.state == ["x"])
    }

    @Test func `reads what doesn't follow on what it has`() {
        var bench = Bench(log: [claim(1, by: b), entry(2, "x"), entry(3, "y")])
        var member = member(a)
        let message = Message.acknowledged(
            entry(3, "y").position, entries: [entry(3, "y")], after: entry(2, "x").position)
        bench.perform(member.receive(message, from: b, now: .zero), &member, now: .zero)
        #expect(member.replica.fold.state == ["x", "y"])
    }

    @Test func `sends the others what it has appended, large payloads left out`() throws {
        for (size, count) in [(10, 1), (20 << 10, 0)] {
            var bench = Bench()
            var member = owning(&bench)
            let before = try #require(bench.log.last)
            bench.others = []
            let large = Request(
                id: id(7), base: 0,
                action: ActionDraft(name: "y", payload: Array(repeating: 1, count: size)))
            bench.perform(
                member.propose(large, neighbours([a, b]), now: .seconds(1)), &member,
                now: .seconds(1))
            let appended = try #require(bench.log.last)
            let message =
                count == 0
                ? Message.acknowledged(appended.position)
                : .acknowledged(
                    appended.position, entries: [appended], after: before.position)
            #expect(bench.others.contains(.broadcast(message)))
        }
    }

    @Test func `asks the owner what may be shown, who says it`() {
        var bench = Bench(log: [claim(1, by: a), entry(2, "x")])
        var other = Member(b, of: "s", Names(), ClusterLimits(), run: 2)
        for tenth in 0...2 {
            let now = Duration.milliseconds(100 * tenth)
            bench.perform(other.tick(neighbours([a, b]), now: now), &other, now: now)
        }
        #expect(bench.sent.map(\.message) == [.ask])
        #expect(bench.sent.map(\.node) == [a])
        #expect(other.replica.fold.state == [])

        var owned = Bench()
        var owner = owning(&owned)
        let steps = owner.receive(.ask, from: b, now: .seconds(1))
        let last = owned.log.last?.position
        #expect(steps == [.send(.acknowledged(last ?? .start), to: b)])
        // Nobody else knows.
        #expect(other.receive(.ask, from: a, now: .zero) == [])
    }

    @Test func `neither owns nor folds a store of nodes with other features, and says so`() {
        let foreign = claim(1, by: b, features: 2)
        var bench = Bench(log: [foreign])
        var member = member(a)
        bench.perform(member.tick(neighbours([a, b]), now: .zero), &member, now: .zero)
        bench.perform(
            member.receive(.acknowledged(foreign.position), from: b, now: .zero), &member,
            now: .zero)
        bench.perform(
            member.propose(request(5, "y"), neighbours([a, b]), now: .zero), &member, now: .zero)
        #expect(bench.answers[id(5)] == .refused(.foreign(FeatureFingerprint(rawValue: 2))))
    }
}
