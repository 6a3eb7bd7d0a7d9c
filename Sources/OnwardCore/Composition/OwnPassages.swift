// SPDX-License-Identifier: MIT

internal import Synchronization

/// The passages that belong to an engine, and which its actions use without counting references.
///
/// Guarded by the engine's lock.
final class OwnPassages: @unchecked Sendable {
    /// The one for the program that runs now; kept alive by `all`.
    private(set) var spare: Unmanaged<Passage>?
    /// Also those with which an action was on its way when their program was replaced.
    private var all: [Passage] = []

    /// Whether some are retired; may be asked outside the lock, and be a moment behind.
    private let retired = Atomic<Bool>(false)

    var hasRetired: Bool { retired.load(ordering: .relaxed) }

    /// Makes a passage the spare one.
    func add(_ passage: Passage) {
        all.append(passage)
        spare = .passUnretained(passage)
    }

    /// Whether an action of a thread is on its way with one of them.
    func isClaimed(by thread: UInt) -> Bool { all.contains { $0.isClaimed(by: thread) } }

    /// Puts the spare passage away; returns what nobody uses, to be let go of outside the lock.
    func retire() -> [Passage] {
        spare?.takeUnretainedValue().isRetired = true
        spare = nil
        return sweep()
    }

    /// Takes out what is retired and not in use any more, to be let go of outside the lock.
    func sweep() -> [Passage] {
        let free = all.filter { $0.isRetired && $0.isFree }
        all.removeAll { passage in free.contains { $0 === passage } }
        retired.store(all.contains(where: \.isRetired), ordering: .relaxed)
        return free
    }
}
