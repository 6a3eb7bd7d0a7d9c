// SPDX-License-Identifier: MIT

/// The shell around `ValueBuffer`: passes the values of one subscription to the iterating task.
///
/// Everything mutable is guarded by `lock`; nothing is called, and no value is released, under
/// it.
@usableFromInline
final class ValueFeed<Value: Sendable>: @unchecked Sendable {
    private enum Phase {
        case open
        /// Nothing more comes; what waits can still be read.
        case finished
        /// There is no reader any more.
        case cancelled
    }

    private let lock = Lock()
    private var buffer: ValueBuffer<Value>
    private var reader: CheckedContinuation<ValueBuffer<Value>.Item?, Never>?
    private var phase = Phase.open
    private var atEnd: (@Sendable () -> Void)?

    init(_ buffering: Buffering) {
        buffer = ValueBuffer(buffering)
    }

    /// How many values were lost because the reader was slow.
    var lost: Int { lock.withLock { buffer.lost } }

    /// Whether a reader waits for a value.
    var isAwaited: Bool { lock.withLock { reader != nil } }

    /// Takes a value of the store.
    func offer(_ value: Value) {
        var reader: CheckedContinuation<ValueBuffer<Value>.Item?, Never>?
        var item: ValueBuffer<Value>.Item?
        let lost = lock.withLock {
            guard phase == .open else { return nil as Value? }
            let lost = buffer.offer(value)
            swap(&reader, &self.reader)
            // Through the buffer, which knows whether values before this one were lost.
            if reader != nil { item = buffer.take() }
            return lost
        }
        reader?.resume(returning: item)
        withExtendedLifetime(lost) {}
    }

    /// The next value; nil after the last one.
    func next(isolation: isolated (any Actor)?) async -> ValueBuffer<Value>.Item? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                var item: ValueBuffer<Value>.Item?
                let mustWait = lock.withLock {
                    item = buffer.take()
                    guard item == nil, phase == .open, reader == nil else { return false }
                    reader = continuation
                    return true
                }
                if !mustWait { continuation.resume(returning: item) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Has `body` called once, at the end of the feed, or at once when that has come.
    func atEnd(_ body: @escaping @Sendable () -> Void) {
        let isLate = lock.withLock {
            if phase == .open { atEnd = body }
            return phase != .open
        }
        if isLate { body() }
    }

    /// Ends the feed; what waits can still be read.
    func finish() { end(in: .finished) }

    /// Ends the feed; what waits is not read.
    func cancel() { end(in: .cancelled) }

    private func end(in next: Phase) {
        var reader: CheckedContinuation<ValueBuffer<Value>.Item?, Never>?
        var atEnd: (@Sendable () -> Void)?
        let unread = lock.withLock {
            if phase == .open || next == .cancelled { phase = next }
            swap(&reader, &self.reader)
            swap(&atEnd, &self.atEnd)
            return next == .cancelled ? buffer.takeContents() : []
        }
        atEnd?()
        reader?.resume(returning: nil)
        withExtendedLifetime(unread) {}
    }
}
