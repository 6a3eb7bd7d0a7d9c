// SPDX-License-Identifier: MIT
#if All

/// Who may use a connection: a pure machine.
struct ConnectionPool<Connection, Waiter> {
    enum Answer {
        /// An idle connection, or nil where one is to be made.
        case granted(Connection?)
        case waits
        /// Too many wait.
        case refused
        case closed
    }

    /// How many may wait.
    static var waiterLimit: Int { 10_000 }

    private var idle: [Connection] = []
    /// How many more may have a connection.
    private var free: Int
    private var waiters: [(id: UInt64, waiter: Waiter)] = []
    private var lastID: UInt64 = 0
    private var isClosed = false

    init(size: Int) { free = max(size, 1) }

    /// The name of a request that is to follow.
    mutating func nextID() -> UInt64 {
        lastID += 1
        return lastID
    }

    /// An idle connection, or nil where one is to be made; nil around that where its taker has to wait.
    mutating func take() -> Connection?? {
        guard !isClosed, free > 0 else { return nil }
        free -= 1
        return .some(idle.popLast())
    }

    mutating func request(_ id: UInt64, _ waiter: Waiter) -> Answer {
        if isClosed { return .closed }
        if let connection = take() { return .granted(connection) }
        guard waiters.count < Self.waiterLimit else { return .refused }
        waiters.append((id, waiter))
        return .waits
    }

    /// Takes a connection back, nil for one that has ended; answers who gets it, or its place.
    mutating func release(_ connection: Connection?) -> (waiter: Waiter, connection: Connection?)? {
        if !waiters.isEmpty { return (waiters.removeFirst().waiter, connection) }
        free += 1
        if let connection, !isClosed { idle.append(connection) }
        return nil
    }

    /// Ends a wait; nil where it has ended.
    mutating func expire(_ id: UInt64) -> Waiter? {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return nil }
        return waiters.remove(at: index).waiter
    }

    /// Lets go of all connections that are idle; answers who waits in vain.
    mutating func close() -> [Waiter] {
        isClosed = true
        idle = []
        defer { waiters = [] }
        return waiters.map(\.waiter)
    }
}
#endif
