// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore

struct CommitLogTests {
    private struct Observer: CommitObserver {
        let needs: ObserverNeeds
        func observe(_ commit: Commit<Int>) {}
    }

    private func registration(_ needs: ObserverNeeds = []) -> ObserverRegistration {
        ObserverRegistration(Observer(needs: needs), needs: needs)
    }

    private func commit(_ version: CommitVersion) -> ErasedCommit {
        ErasedCommit(LogEntry(version: version, action: Travel(replacing: version - 1)))
    }

    private func log(_ readers: [ObserverRegistration], after version: CommitVersion = 0)
        -> CommitLog
    {
        var log = CommitLog(limit: 4)
        for reader in readers { log.add(reader, after: version) }
        return log
    }

    /// The versions that a thread gives to all observers, in order.
    private func readAll(
        _ log: inout CommitLog, thread: UInt = 1, upTo version: CommitVersion = .max
    ) -> [CommitVersion] {
        var versions: [CommitVersion] = []
        while let step = log.claim(thread, upTo: version) {
            versions.append(step.commit.entry.version)
            _ = log.finish(step.registration)
        }
        return versions
    }

    /// Whose turn a thread takes next, and the version it is given.
    private func claim(
        _ log: inout CommitLog, thread: UInt, upTo version: CommitVersion = .max
    ) -> (registration: ObserverRegistration, version: CommitVersion)? {
        guard let step = log.claim(thread, upTo: version) else { return nil }
        return (step.registration, step.commit.entry.version)
    }

    @Test func `wants what any of its observers wants, until the last of these goes`() {
        var log = CommitLog(limit: 4)
        #expect(log.needs == [] && !log.hasReaders)
        let readers = [registration(), registration([.time]), registration([.time, .after])]
        for reader in readers { log.add(reader, after: 0) }
        #expect(log.needs == [.time, .after] && log.hasReaders)
        for _ in 0..<2 {
            _ = log.remove(readers[2])
            #expect(log.needs == [.time])
        }
        _ = log.remove(readers[1])
        #expect(log.needs == [] && log.hasReaders)
        _ = log.remove(readers[0])
        #expect(!log.hasReaders)
    }

    @Test func `gives each observer every commit, in order, from the one after it came`() {
        let (first, second) = (registration(), registration())
        var log = log([first], after: 6)
        log.append(commit(7))
        log.add(second, after: 7)
        log.append(commit(8))
        #expect(log.oldestUnread == 7)
        let step = claim(&log, thread: 1)
        #expect(step?.registration === first && step?.version == 7)
        // Another thread finds the first one busy.
        let others = readAll(&log, thread: 2)
        #expect(others == [8])
        #expect(!log.isRead && log.oldestUnread == 7)
        let dropped = log.finish(first)
        #expect(dropped?.entry.version == 7)
        let rest = readAll(&log)
        #expect(rest == [8])
        #expect(log.isRead && log.oldestUnread == nil)
    }

    @Test func `a thread leaves to another one what that one is reading`() {
        let reader = registration()
        var log = log([reader])
        log.append(commit(1))
        let first = claim(&log, thread: 1)
        log.append(commit(2))
        let second = claim(&log, thread: 2)
        #expect(first != nil && second == nil)
        #expect(log.isCalling(1) && !log.isCalling(2))
        guard case .elsewhere = log.claim(for: reader, 2, upTo: 2),
            case .further = log.claim(for: reader, 1, upTo: 2),
            case .nothing = log.claim(for: reader, 2, upTo: 0)
        else {
            Issue.record("Another answer about who is calling.")
            return
        }
        let dropped = log.finish(reader)
        #expect(dropped?.entry.version == 1)
        guard case .read(let step) = log.claim(for: reader, 2, upTo: 2) else {
            Issue.record("It could not be read.")
            return
        }
        let version = step.commit.entry.version
        #expect(version == 2)
    }

    @Test func `a thread that has read enough leaves the rest to one that is started, once`() {
        let reader = registration()
        var log = log([reader])
        for version in 1...3 as ClosedRange<CommitVersion> { log.append(commit(version)) }
        let read = readAll(&log, upTo: 2)
        let answers = [log.mustHandOver(), log.mustHandOver()]
        #expect(read == [1, 2] && answers == [true, false])
        log.takeOver()
        let rest = readAll(&log)
        let last = log.mustHandOver()
        #expect(rest == [3] && !last)
    }

    @Test func `is full when as many commits wait as the limit says`() {
        let (fast, slow) = (registration(), registration())
        var log = log([fast, slow])
        for version in 1...4 as ClosedRange<CommitVersion> {
            #expect(!log.isFull)
            log.append(commit(version))
        }
        #expect(log.isFull)
        // One of the two has read it all: it still waits for the other one.
        let step = claim(&log, thread: 1)
        #expect(step?.registration === fast)
        let dropped = log.finish(fast)
        #expect(dropped == nil && log.isFull)
        // What only those needed who have left is dropped.
        let left = log.remove(slow).map(\.entry.version)
        #expect(left == [1] && !log.isFull)
        let rest = log.remove(fast)
        #expect(rest.count == 3)
        #expect(log.isRead)
    }

    @Test func `an observer that leaves while it is called is called no more`() {
        let reader = registration()
        var log = log([reader])
        log.append(commit(1))
        log.append(commit(2))
        _ = log.claim(1, upTo: .max)
        let left = log.remove(reader)
        let dropped = log.finish(reader)
        let next = claim(&log, thread: 1)
        #expect(left.count == 2 && dropped == nil && next == nil && log.isRead)
        log.add(registration(), after: 5)
        log.append(commit(6))
        let read = readAll(&log)
        #expect(read == [6])
    }

    @Test func `a thread doesn't wait for one that waits for it, directly or through others`() {
        let readers = [registration(), registration(), registration()]
        var log = log(readers)
        log.append(commit(1))
        for thread: UInt in 1...3 {
            guard case .read = log.claim(for: readers[Int(thread) - 1], thread, upTo: 1) else {
                Issue.record("nobody reads yet")
                return
            }
        }
        guard case .elsewhere = log.claim(for: readers[1], 1, upTo: 1),
            case .elsewhere = log.claim(for: readers[2], 2, upTo: 1),
            case .endless = log.claim(for: readers[0], 3, upTo: 1),
            case .endless = log.claim(for: readers[1], 3, upTo: 1),
            // One that waits for nobody may be waited for.
            case .elsewhere = log.claim(for: readers[2], 4, upTo: 1)
        else {
            Issue.record("the third thread would wait in a circle")
            return
        }
        _ = log.finish(readers[2])
        guard case .nothing = log.claim(for: readers[2], 2, upTo: 1) else {
            Issue.record("the wait has ended")
            return
        }
        guard case .elsewhere = log.claim(for: readers[1], 3, upTo: 1) else {
            Issue.record("the second thread no longer waits")
            return
        }
    }
}
