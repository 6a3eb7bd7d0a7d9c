// SPDX-License-Identifier: MIT

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
