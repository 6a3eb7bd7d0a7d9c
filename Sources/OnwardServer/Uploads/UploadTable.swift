// SPDX-License-Identifier: MIT
#if Server

import DequeModule

/// Which files are kept, for whom and until when: a pure machine, told what happens and when.
///
/// A file is being received, then waits, and ends when it is taken, expires or is given up. Whoever
/// runs the machine writes and removes the files themselves.
struct UploadTable: Sendable {
    /// Whom a file is counted for.
    struct Owner: Hashable, Sendable {
        /// The sender; nil if visitors aren't distinguished: then an address counts as one.
        var visitor: VisitorID?
        var address: ClientAddress
    }

    /// Why a file, or more of it, isn't accepted.
    enum Refusal: Hashable, Sendable {
        /// The file is too large.
        case tooLarge
        /// Too much waits: of this sender, or altogether.
        case noRoom
    }

    private struct Entry {
        let owner: Owner
        var size = 0
        /// What it has become, and when it expires; nil while it is being received.
        var waiting: (file: UploadedFile, until: Duration)?
    }

    private struct Amount {
        var files = 0, bytes = 0

        mutating func add(_ files: Int, _ bytes: Int) {
            self.files += files
            self.bytes += bytes
        }
    }

    /// How long a file waits to be taken.
    let lifetime: Duration
    /// How many ended files are remembered, to tell why they aren't there.
    static let memory = 4_096

    private var entries: [String: Entry] = [:]
    /// Those that wait, in the order in which they expire, and some that don't any more.
    private var order: Deque<String> = []
    private var total = Amount()
    private var visitors: [VisitorID: Amount] = [:]
    private var addresses: [ClientAddress: Amount] = [:]
    private var ended: [String: UploadError.Code] = [:]
    private var endings: Deque<String> = []

    init(lifetime: Duration) { self.lifetime = lifetime }

    /// How many files there are, and their bytes.
    var files: Int { total.files }
    var bytes: Int { total.bytes }
    /// How much is remembered beside them, for tests.
    var remembered: Int { order.count + endings.count + visitors.count + addresses.count }

    /// A file begins to arrive; nil if it may.
    mutating func begin(
        _ id: String, for owner: Owner, within limits: UploadLimits
    ) -> Refusal? {
        guard hasRoom(for: 1, 0, of: owner, within: limits) else { return .noRoom }
        entries[id] = Entry(owner: owner)
        add(1, 0, of: owner)
        return nil
    }

    /// More of it arrives; nil if it may be written.
    mutating func grow(_ id: String, by bytes: Int, within limits: UploadLimits) -> Refusal? {
        guard let entry = entries[id], entry.waiting == nil else { return .noRoom }
        guard bytes <= limits.bytesPerFile - entry.size else { return .tooLarge }
        guard hasRoom(for: 0, bytes, of: entry.owner, within: limits) else { return .noRoom }
        entries[id]?.size += bytes
        add(0, bytes, of: entry.owner)
        return nil
    }

    /// It has arrived, and waits to be taken.
    mutating func finish(_ file: UploadedFile, at now: Duration) {
        guard entries[file.id] != nil, entries[file.id]?.waiting == nil else { return }
        entries[file.id]?.waiting = (file, now + lifetime)
        order.append(file.id)
        if order.count > 2 * entries.count + 64 {
            order.removeAll { [entries] in entries[$0] == nil }
        }
    }

    /// It is given up; whether there is something to remove.
    mutating func discard(_ id: String) -> Bool { remove(id) != nil }

    /// Somebody wants to have it; nil if it is theirs now.
    mutating func take(_ file: UploadedFile, at now: Duration) -> UploadError.Code? {
        guard let entry = entries[file.id], let waiting = entry.waiting, waiting.file == file else {
            return ended[file.id] ?? .unknown
        }
        // It is removed when somebody asks what has expired.
        guard now < waiting.until else { return .expired }
        end(file.id, as: .taken)
        return nil
    }

    /// The files that have expired, to be removed.
    ///
    /// - Complexity: O(1) for each of them, amortised.
    mutating func expire(at now: Duration) -> [String] {
        var expired: [String] = []
        while let id = order.first {
            if let until = entries[id]?.waiting?.until {
                guard until <= now else { break }
                end(id, as: .expired)
                expired.append(id)
            }
            order.removeFirst()
        }
        return expired
    }

    private func hasRoom(
        for files: Int, _ bytes: Int, of owner: Owner, within limits: UploadLimits
    ) -> Bool {
        func fits(_ amount: Amount?, _ fileLimit: Int, _ byteLimit: Int) -> Bool {
            (amount?.files ?? 0) + files <= fileLimit && (amount?.bytes ?? 0) + bytes <= byteLimit
        }
        let address = addresses[owner.address]
        let own = owner.visitor.map { visitors[$0] } ?? address
        return fits(total, limits.files, limits.bytes)
            && fits(address, max(limits.files / 2, 1), max(limits.bytes / 2, 1))
            && fits(own, limits.filesPerVisitor, limits.bytesPerVisitor)
    }

    private mutating func add(_ files: Int, _ bytes: Int, of owner: Owner) {
        total.add(files, bytes)
        addresses[owner.address, default: Amount()].add(files, bytes)
        if addresses[owner.address]?.files == 0 { addresses[owner.address] = nil }
        guard let visitor = owner.visitor else { return }
        visitors[visitor, default: Amount()].add(files, bytes)
        if visitors[visitor]?.files == 0 { visitors[visitor] = nil }
    }

    private mutating func remove(_ id: String) -> Entry? {
        guard let entry = entries.removeValue(forKey: id) else { return nil }
        add(-1, -entry.size, of: entry.owner)
        return entry
    }

    private mutating func end(_ id: String, as code: UploadError.Code) {
        guard remove(id) != nil else { return }
        ended[id] = code
        endings.append(id)
        if endings.count > Self.memory { ended[endings.removeFirst()] = nil }
    }
}
#endif
