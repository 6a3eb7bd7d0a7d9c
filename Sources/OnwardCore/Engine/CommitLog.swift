// SPDX-License-Identifier: MIT

internal import DequeModule

/// The commits that observers have yet to read, and how far each of them has come: a pure machine.
///
/// Problem: every observer sees every commit in the order of the commits, whichever threads commit, deliver or
/// travel meanwhile. Nothing of an observer runs under the store's lock, and a slow one holds up nobody else.
///
/// Strategy: a commit is written here under the lock, where it gets its version. Each observer reads on from
/// where it stands, outside the lock, on one thread at a time: mostly the one that has just committed. A thread
/// that finds an observer being called leaves its commit to the thread that calls. A commit is dropped when
/// all have read it; when too many wait, a thread reads before it commits again.
struct CommitLog {
    /// An observer and how far it has come.
    private struct Reader {
        let registration: ObserverRegistration
        /// The commit that it is being given, or that it is given next.
        var next: CommitVersion
        /// The thread that is calling it; 0 when none is.
        var thread: UInt = 0
    }

    /// A commit that a thread gives to an observer, outside the lock.
    struct Step: ~Copyable {
        let registration: ObserverRegistration
        let commit: ErasedCommit
    }

    /// In the order in which they came.
    private var readers: [Reader] = [] { didSet { hasReaders = !readers.isEmpty } }
    /// The commits that not all of them have read, without a gap.
    private var commits = Deque<ErasedCommit>()
    /// The version of the newest commit that was written while there were observers.
    private var last: CommitVersion = 0
    /// The threads that wait until another one has read for an observer, at most one wait each.
    private var waits: [(thread: UInt, registration: ObserverRegistration)] = []
    /// Whether a thread was started to read what is left.
    private var isHandedOver = false
    private let limit: Int
    /// How many observers have each of the needs, by the number of its bit.
    private var counts = [Int](repeating: 0, count: ObserverNeeds.RawValue.bitWidth)
    /// What any of them needs.
    private(set) var needs: ObserverNeeds = []

    init(limit: Int) {
        self.limit = max(limit, 1)
    }

    /// Whether there is anyone to write for; stored, as each commit asks.
    private(set) var hasReaders = false

    /// The observers in the order in which they came.
    var registrations: [ObserverRegistration] { readers.map(\.registration) }

    /// Whether all observers have read everything to the end.
    var isRead: Bool { commits.isEmpty }

    /// Whether so many commits wait that a thread reads before it commits again.
    var isFull: Bool { commits.count >= limit }

    /// The oldest commit that some observer has not read to the end; nil when there is none.
    var oldestUnread: CommitVersion? { commits.isEmpty ? nil : first }

    private var first: CommitVersion { last + 1 - CommitVersion(commits.count) }

    // MARK: Observers

    /// Adds an observer, which has come behind all others and reads what is committed after a version.
    mutating func add(_ registration: ObserverRegistration, after version: CommitVersion) {
        if readers.isEmpty { last = version }
        readers.append(Reader(registration: registration, next: version + 1))
        count(registration.needs, 1)
    }

    /// Takes an observer out.
    ///
    /// - Returns: What nobody reads any more, to be released outside the lock.
    mutating func remove(_ registration: ObserverRegistration) -> [ErasedCommit] {
        guard let index = index(of: registration) else { return [] }
        readers.remove(at: index)
        count(registration.needs, -1)
        return drop()
    }

    private func index(of registration: ObserverRegistration) -> Int? {
        readers.firstIndex { $0.registration === registration }
    }

    private mutating func count(_ wanted: ObserverNeeds, _ step: Int) {
        for bit in counts.indices {
            let need = ObserverNeeds(rawValue: 1 << bit)
            guard wanted.contains(need) else { continue }
            counts[bit] += step
            if counts[bit] > 0 { needs.insert(need) } else { needs.remove(need) }
        }
    }

    // MARK: Writing and reading

    /// Writes a commit, whose version follows that of the last one.
    mutating func append(_ commit: consuming ErasedCommit) {
        last = commit.entry.version
        commits.append(commit)
    }

    /// The next commit, up to a version, for an observer that no thread is calling; nil when there is none.
    mutating func claim(_ thread: UInt, upTo version: CommitVersion) -> Step? {
        if isRead { return nil }
        let end = min(version, last)
        for index in readers.indices where readers[index].thread == 0 && readers[index].next <= end
        {
            return claim(readerAt: index, thread)
        }
        return nil
    }

    /// What a thread finds that wants one observer to read.
    enum Claim: ~Copyable {
        /// It has read everything, or has left.
        case nothing
        case read(Step)
        /// This thread is calling it already, further out.
        case further
        /// Another thread is calling it, and this one waits.
        case elsewhere
        /// Another thread is calling it, and waits in turn for an observer that this one is calling.
        case endless

        var isStep: Bool {
            switch self {
            case .read: true
            default: false
            }
        }
    }

    /// The next commit, up to a version, for one observer.
    mutating func claim(
        for registration: ObserverRegistration, _ thread: UInt, upTo version: CommitVersion
    ) -> Claim {
        if !waits.isEmpty { waits.removeAll { $0.thread == thread } }
        guard let index = index(of: registration), readers[index].next <= min(version, last) else {
            return .nothing
        }
        switch readers[index].thread {
        case 0: return .read(claim(readerAt: index, thread))
        case thread: return .further
        case let other:
            if waitsInTurn(other, for: thread) { return .endless }
            waits.append((thread, registration))
            return .elsewhere
        }
    }

    /// Whether a thread waits, perhaps through others, for an observer that a second thread is calling.
    private func waitsInTurn(_ thread: UInt, for caller: UInt) -> Bool {
        var thread = thread
        // Nobody waits in a circle already, so this ends.
        while let wait = waits.first(where: { $0.thread == thread }) {
            guard let index = index(of: wait.registration) else { return false }
            thread = readers[index].thread
            if thread == caller { return true }
        }
        return false
    }

    private mutating func claim(readerAt index: Int, _ thread: UInt) -> Step {
        readers[index].thread = thread
        return Step(
            registration: readers[index].registration,
            commit: commits[Int(readers[index].next - first)])
    }

    /// Notes that an observer has read what it was given.
    ///
    /// - Returns: The commit if nobody reads it any more, to be released outside the lock.
    mutating func finish(_ registration: ObserverRegistration) -> ErasedCommit? {
        guard let index = index(of: registration) else { return nil }
        let read = readers[index].next
        readers[index].next = read + 1
        readers[index].thread = 0
        guard read == first, readers.allSatisfy({ $0.next > read }) else { return nil }
        return commits.popFirst()
    }

    /// Whether a thread is calling an observer.
    func isCalling(_ thread: UInt) -> Bool { readers.contains { $0.thread == thread } }

    /// Whether a thread has to be started for what is left, which no thread is reading.
    mutating func mustHandOver() -> Bool {
        guard !isHandedOver, !isRead,
            readers.contains(where: { $0.thread == 0 && $0.next <= last })
        else { return false }
        isHandedOver = true
        return true
    }

    /// A thread that was started for what is left has begun.
    mutating func takeOver() { isHandedOver = false }

    /// Takes out the commits that all have read.
    private mutating func drop() -> [ErasedCommit] {
        let next = readers.lazy.map(\.next).min() ?? last + 1
        let count = Int(next - first)
        defer { commits.removeFirst(count) }
        return Array(commits.prefix(count))
    }
}
