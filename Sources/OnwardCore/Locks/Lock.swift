// SPDX-License-Identifier: MIT

import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#elseif canImport(WASILibc)
internal import WASILibc
#elseif canImport(WinSDK)
internal import WinSDK
#endif

/// The one lock of the library: a word that holds the id of the thread which owns it.
///
/// That the word names its owner gives the check "am I inside a reducer?" for free. On Linux it is the
/// whole lock: measured there against `Synchronization.Mutex` and `pthread_mutex`, it is the fastest both
/// alone and with eight threads, and the thread sanitizer understands it because it is made of
/// atomics only. A thread that finds it taken spins a little, then gives its time slice away, then sleeps
/// for growing moments, so that a long reducer on one thread does not burn the cores of the others.
///
/// On Apple's systems and on Windows a ``SystemLock`` decides who owns it: a main thread that slept there
/// could wait for a thread in the background that isn't scheduled, as nobody would know whom it waits for.
@usableFromInline
package struct Lock: ~Copyable, Sendable {
    private let owner = Atomic<UInt>(0)
    #if (canImport(Darwin) || canImport(WinSDK)) && !ONWARD_SCHEDULED
    private let system = SystemLock()
    #endif

    package init() {}

    /// Whether the calling thread, whose id is `thread`, holds the lock.
    @inline(__always)
    func isOwned(by thread: UInt) -> Bool {
        owner.load(ordering: .relaxed) == thread
    }

    @inline(__always)
    package func acquire(as thread: UInt) {
        #if ONWARD_SCHEDULED
        SchedulePoint.acquire.reach()
        while !tryAcquire(as: thread) { SchedulePoint.contended.reach() }
        #elseif canImport(Darwin) || canImport(WinSDK)
        if isOwned(by: thread) { Self.stopWaitingForItself() }
        system.lock()
        owner.store(thread, ordering: .relaxed)
        #else
        let (taken, _) = owner.weakCompareExchange(
            expected: 0, desired: thread, ordering: .acquiring)
        if !taken { wait(as: thread) }
        #endif
    }

    /// Takes the lock unless a thread has it.
    package func tryAcquire(as thread: UInt) -> Bool {
        #if (canImport(Darwin) || canImport(WinSDK)) && !ONWARD_SCHEDULED
        guard !isOwned(by: thread), system.tryLock() else { return false }
        owner.store(thread, ordering: .relaxed)
        return true
        #else
        owner.compareExchange(expected: 0, desired: thread, ordering: .acquiring).exchanged
        #endif
    }

    /// Frees the lock: a call of which the optimiser knows nothing.
    ///
    /// It may not be inlined, nor be looked into. An atomic store lets go of nothing, so the optimiser
    /// counts a reference that was loaded under the lock only after it, where it is used; by then another
    /// thread may have freed the object. `scripts/check-object-code` looks at the outcome.
    @inline(never)
    @_effects(readwrite)
    package func release() {
        owner.store(0, ordering: .releasing)
        #if (canImport(Darwin) || canImport(WinSDK)) && !ONWARD_SCHEDULED
        system.unlock()
        #endif
        #if ONWARD_SCHEDULED
        SchedulePoint.released.reach()
        #endif
    }

    @inline(never)
    private func wait(as thread: UInt) {
        if isOwned(by: thread) { Self.stopWaitingForItself() }
        var pause = Pause()
        while true {
            if owner.load(ordering: .relaxed) == 0,
                owner.weakCompareExchange(expected: 0, desired: thread, ordering: .acquiring)
                    .exchanged
            {
                return
            }
            pause.wait()
        }
    }

    @inline(never)
    private static func stopWaitingForItself() -> Never {
        fatalError(
            """
            A thread waits for a lock that it holds, and would wait for ever. Code of the app that \
            runs under it used what it protects: such as a reducer that a history runs again and \
            that reads the history. To fix this, let reducers, and what they cause to be called, \
            use the state only that they are given.
            """)
    }
}

/// The moments that a thread lets pass while it waits for another one: none, then its time slice, then growing
/// ones.
struct Pause {
    private var attempts: UInt32 = 0

    mutating func wait() {
        #if ONWARD_SCHEDULED
        SchedulePoint.acquire.reach()
        #else
        attempts &+= 1
        switch attempts {
        case ..<32: break
        case ..<1_000: CurrentThread.yield()
        default: CurrentThread.sleep(microseconds: min(attempts / 20, 500))
        }
        #endif
    }
}

extension Lock {
    /// Takes the lock, for code that is compiled into a client.
    @usableFromInline
    func acquireHere() { acquire(as: CurrentThread.id) }

    /// Frees the lock, for code that is compiled into a client.
    @usableFromInline
    func releaseHere() { release() }

    /// Runs `body` under the lock.
    ///
    /// Inlinable, as the layers above would otherwise call it as generic code, which takes three times as much.
    @inlinable @inline(__always)
    package func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        acquireHere()
        defer { releaseHere() }
        return try body()
    }
}

#if !canImport(WASILibc) && !canImport(WinSDK)
/// `pthread_self`, as a function of which the compiler knows nothing.
///
/// C libraries declare it `const`: called twice, it answers the same. An optimiser that believes this
/// calls it once in an async function and keeps the answer over an `await`, after which the function
/// runs on another thread. The name is that of the symbol, so no declaration of a header, and nothing
/// that could be inferred from a body, is in its way. `scripts/check-object-code` looks at the outcome.
@_silgen_name("pthread_self")
private func currentThreadID() -> UInt
#endif

/// What the library asks of the platform's threads.
@usableFromInline
package enum CurrentThread {
    /// A number that no other living thread has; never 0.
    ///
    /// Asked for anew each time, and never kept over a suspension.
    @inline(__always)
    package static var id: UInt {
        #if canImport(WASILibc)
        1
        #elseif canImport(WinSDK)
        UInt(GetCurrentThreadId())
        #else
        currentThreadID()
        #endif
    }

    static func yield() {
        #if canImport(WinSDK)
        SwitchToThread()
        #else
        sched_yield()
        #endif
    }

    static func sleep(microseconds: UInt32) {
        #if canImport(WinSDK)
        Sleep(1)
        #else
        usleep(microseconds)
        #endif
    }
}

#if ONWARD_SCHEDULED

/// Where a thread may have to let another one go first: in the test build of `Tests/Soak`, whose
/// scheduler runs one thread at a time and decides at each of these points which one continues.
///
/// In every other build this file is empty.
enum SchedulePoint: UInt8 {
    /// A lock is about to be taken.
    case acquire
    /// The lock is held by another thread; continues when any lock was released.
    case contended
    /// A lock was released.
    case released

    @inline(__always)
    func reach() { reachSchedulePoint(rawValue) }
}

/// Defined by the program that schedules.
@_silgen_name("onward_schedule_point")
private func reachSchedulePoint(_ kind: UInt8)

#endif
