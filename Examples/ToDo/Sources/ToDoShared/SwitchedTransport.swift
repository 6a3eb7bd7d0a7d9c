// SPDX-License-Identifier: MIT

public import OnwardSync
import Synchronization

/// A way to a server that can be switched off, as on a train.
///
/// While it is off a client waits, and connects as soon as it is on again.
public final class SwitchedTransport: SyncTransport {
    private struct Contents {
        var isOn: Bool
        var open: SyncConnection?
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let transport: any SyncTransport
    private let contents: Mutex<Contents>

    /// Wraps a transport of one client.
    public init(_ transport: any SyncTransport, isOn: Bool = true) {
        self.transport = transport
        contents = Mutex(Contents(isOn: isOn))
    }

    /// Whether there is a way.
    public var isOn: Bool {
        get { contents.withLock { $0.isOn } }
        set {
            let (waiter, cut) = contents.withLock { contents in
                contents.isOn = newValue
                return newValue
                    ? (contents.waiter.take(), nil) : (nil, contents.open.take())
            }
            waiter?.resume()
            cut?.close()
        }
    }

    /// Makes a connection, once that is possible.
    ///
    /// - Throws: What the transport throws, and `CancellationError`.
    public func connect() async throws -> SyncConnection {
        await isSwitchedOn()
        try Task.checkCancellation()
        let connection = try await transport.connect()
        let isCut = contents.withLock { contents in
            if contents.isOn { contents.open = connection }
            return !contents.isOn
        }
        if isCut { connection.close() }
        return connection
    }

    private func isSwitchedOn() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isWaiting = contents.withLock { contents in
                    if contents.isOn || Task.isCancelled { return false }
                    contents.waiter = waiter
                    return true
                }
                if !isWaiting { waiter.resume() }
            }
        } onCancel: {
            contents.withLock { $0.waiter.take() }?.resume()
        }
    }
}
