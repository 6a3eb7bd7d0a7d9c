// SPDX-License-Identifier: MIT
#if Server

import NIOCore
import Onward

/// What is expected of a connection and by when: a pure machine that is notified of all traffic.
///
/// A head has a fixed time. A body, and anything sent, has a time that grows with its size, so a
/// client that keeps to the minimum rate is never cut off. While an answer is being prepared,
/// nothing is expected.
struct ConnectionDeadlines: Sendable {
    /// What the connection is doing.
    enum Phase: Hashable, Sendable {
        /// Nothing: no request has begun, or its head isn't complete.
        case quiet
        /// A request's body is on its way.
        case receiving
        /// An answer is being made or sent.
        case answering
    }

    /// The times that it must keep to.
    struct Limits: Sendable {
        var silence: TimeAmount
        var keepAlive: TimeAmount
        var transfer: TimeAmount
        var stop: TimeAmount
        /// In bytes per second.
        var rate: Int

        init(_ limits: ServerLimits, stopDeadline: Duration) {
            silence = TimeAmount(limits.silence)
            keepAlive = TimeAmount(limits.keepAlive)
            transfer = TimeAmount(limits.transfer)
            stop = TimeAmount(stopDeadline)
            rate = max(limits.rate, 1)
        }

        /// The time needed for this many bytes.
        func time(for bytes: Int) -> TimeAmount {
            .milliseconds(Int64(bytes) * 1_000 / Int64(rate))
        }
    }

    private let limits: Limits
    /// The requests whose answer hasn't ended.
    private var unanswered = 0
    /// When the next head must have arrived.
    private var headDeadline: NIODeadline?
    /// When the body must have arrived, as far as it has come.
    private var bodyDeadline: NIODeadline?
    /// Whether the request was answered before its body ended, as when it is too large.
    private var isBodyUnread = false
    /// How many bytes haven't been taken yet, and since when none was.
    private var unsent = 0
    private var stalled: NIODeadline?
    /// When everything has to end.
    private var end: NIODeadline?

    init(_ limits: Limits, opened now: NIODeadline) {
        self.limits = limits
        headDeadline = now + limits.silence
    }

    var phase: Phase {
        if bodyDeadline != nil { return .receiving }
        return unanswered > 0 ? .answering : .quiet
    }

    /// When the connection has to be closed unless something happens.
    var deadline: NIODeadline? {
        let sending = stalled.map { $0 + limits.transfer + limits.time(for: unsent) }
        return [headDeadline, bodyDeadline, sending, end].compactMap { $0 }.min()
    }

    /// A request's head came.
    mutating func readHead(at now: NIODeadline) {
        unanswered += 1
        headDeadline = nil
        bodyDeadline = now + limits.transfer
        isBodyUnread = false
    }

    /// A piece of a body came.
    mutating func readBody(_ bytes: Int) {
        if isBodyUnread { return }
        bodyDeadline = bodyDeadline.map { $0 + limits.time(for: bytes) }
    }

    /// A request has arrived completely.
    mutating func readEnd(at now: NIODeadline) {
        bodyDeadline = nil
        rest(at: now)
    }

    /// Something is to be sent.
    mutating func write(_ bytes: Int, at now: NIODeadline) {
        if unsent == 0 { stalled = now }
        unsent += bytes
    }

    /// Something was sent.
    mutating func wrote(_ bytes: Int, at now: NIODeadline) {
        unsent -= bytes
        stalled = unsent > 0 ? now : nil
    }

    /// An answer has ended.
    mutating func writeEnd(at now: NIODeadline) {
        // A head that can't be read is answered as well.
        unanswered = max(unanswered - 1, 0)
        if unanswered == 0, let deadline = bodyDeadline {
            // The rest has a fixed time, however fast it arrives: it may never end.
            isBodyUnread = true
            bodyDeadline = min(deadline, now + limits.transfer)
        }
        rest(at: now)
    }

    /// The server is about to stop.
    mutating func stop(at now: NIODeadline) { end = now + limits.stop }

    private mutating func rest(at now: NIODeadline) {
        if phase == .quiet { headDeadline = now + limits.keepAlive }
    }
}

extension TimeAmount {
    /// Converts a duration of the standard library; one that is too long becomes the longest.
    fileprivate init(_ duration: Duration) {
        self = .nanoseconds(min(duration.wholeNanoseconds, .max / 4))
    }
}
#endif
