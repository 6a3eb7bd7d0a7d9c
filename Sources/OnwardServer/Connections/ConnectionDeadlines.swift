// SPDX-License-Identifier: MIT
#if Server

import NIOCore
import Onward

/// What is expected of one connection, and until when: a pure machine that learns what comes and goes.
///
/// A head has a fixed time. A body, and what is sent, has a time that grows with its size, so that a
/// client that keeps to the minimum rate is never cut off. While an answer is being made nothing is
/// expected.
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

    /// The times it is held to.
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

        /// The time that so many bytes need.
        func time(for bytes: Int) -> TimeAmount {
            .milliseconds(Int64(bytes) * 1_000 / Int64(rate))
        }
    }

    private let limits: Limits
    /// The requests whose answer hasn't ended.
    private var unanswered = 0
    /// Until when the next head has to be there.
    private var headDeadline: NIODeadline?
    /// Until when the body has to be there, as far as it has come.
    private var bodyDeadline: NIODeadline?
    /// Whether the body's request was answered before its end, as one that is too large: nobody reads it.
    private var isBodyUnread = false
    /// What isn't taken yet, in bytes, and since when nothing of it was.
    private var unsent = 0
    private var stalled: NIODeadline?
    /// Until when all has to end.
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

    /// A request is complete.
    mutating func readEnd(at now: NIODeadline) {
        bodyDeadline = nil
        rest(at: now)
    }

    /// Something is to be sent.
    mutating func write(_ bytes: Int, at now: NIODeadline) {
        if unsent == 0 { stalled = now }
        unsent += bytes
    }

    /// Something was taken.
    mutating func wrote(_ bytes: Int, at now: NIODeadline) {
        unsent -= bytes
        stalled = unsent > 0 ? now : nil
    }

    /// An answer has ended.
    mutating func writeEnd(at now: NIODeadline) {
        // A head that can't be read is answered, too.
        unanswered = max(unanswered - 1, 0)
        if unanswered == 0, let deadline = bodyDeadline {
            // The rest has a fixed time, however fast it comes: it may never end.
            isBodyUnread = true
            bodyDeadline = min(deadline, now + limits.transfer)
        }
        rest(at: now)
    }

    /// The server is to stop.
    mutating func stop(at now: NIODeadline) { end = now + limits.stop }

    private mutating func rest(at now: NIODeadline) {
        if phase == .quiet { headDeadline = now + limits.keepAlive }
    }
}

extension TimeAmount {
    /// A duration of the standard library; one that is too long is the longest.
    fileprivate init(_ duration: Duration) {
        self = .nanoseconds(min(duration.wholeNanoseconds, .max / 4))
    }
}
#endif
