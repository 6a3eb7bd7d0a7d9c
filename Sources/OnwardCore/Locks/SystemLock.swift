// SPDX-License-Identifier: MIT

#if (canImport(Darwin) || canImport(WinSDK)) && !ONWARD_SCHEDULED

#if canImport(Darwin)
internal import Darwin
#else
internal import WinSDK
#endif

/// The lock of the system, whose waiting threads lend their priority to the one that has it on Apple's systems
/// (`os_unfair_lock`), and are woken by it on Windows (`SRWLOCK`).
///
/// Compiled against stubs only, as the library is tested on Linux.
///
/// Invariant behind `@unchecked`: the memory is only touched by the system's functions, which any thread may call.
struct SystemLock: ~Copyable, @unchecked Sendable {
    #if canImport(Darwin)
    private let words: UnsafeMutablePointer<os_unfair_lock>

    init() {
        words = .allocate(capacity: 1)
        words.initialize(to: os_unfair_lock())
    }

    func lock() { os_unfair_lock_lock(words) }

    func tryLock() -> Bool { os_unfair_lock_trylock(words) }

    func unlock() { os_unfair_lock_unlock(words) }
    #else
    private let words: UnsafeMutablePointer<SRWLOCK>

    init() {
        words = .allocate(capacity: 1)
        InitializeSRWLock(words)
    }

    func lock() { AcquireSRWLockExclusive(words) }

    func tryLock() -> Bool { TryAcquireSRWLockExclusive(words) != 0 }

    func unlock() { ReleaseSRWLockExclusive(words) }
    #endif

    // An address that never changes, which the system's functions ask for; a stored property has none.
    deinit { words.deallocate() }
}

#endif
