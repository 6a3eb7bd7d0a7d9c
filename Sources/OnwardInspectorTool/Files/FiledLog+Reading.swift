// SPDX-License-Identifier: MIT
#if All

internal import Foundation
internal import Onward
internal import OnwardJournal
internal import OnwardLog

/// Why a file can't be shown.
struct FileProblem: Error, CustomStringConvertible {
    let description: String
}

extension FiledLog {
    /// The maximum numbers of a journal's newest entries, of states, and of bytes of these to read.
    static let (mostEntries, mostStates, mostStateBytes) = (200_000, 1_000, 256 << 20)
    /// The limits of a file of Redux DevTools with its states.
    static let devToolsLimits = DataLimits(bytes: 256 << 20, depth: 128, elements: 50_000_000)

    /// Reads a journal, the report of a session, or a file of Redux DevTools.
    ///
    /// - Throws: ``FileProblem``, or the error of the journal or the report.
    static func read(_ path: String) async throws -> FiledLog {
        if try isJSON(path) { return try FiledLog(devTools: bytes(of: path)) }
        let journal = try await LogFile.read(path)
        do {
            let log = try await FiledLog(journal)
            await journal.close()
            return log
        } catch {
            await journal.close()
            throw error
        }
    }

    /// Whether a file begins like a JSON object.
    private static func isJSON(_ path: String) throws(FileProblem) -> Bool {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw FileProblem(description: "\(path) can't be read: there is no such file.")
        }
        defer { try? handle.close() }
        let beginning = (try? handle.read(upToCount: 256)) ?? Data()
        let blanks = Set(" \t\r\n".utf8)
        return beginning.first { !blanks.contains($0) } == UInt8(ascii: "{")
    }

    private static func bytes(of path: String) throws(FileProblem) -> [UInt8] {
        let limit = devToolsLimits.bytes
        guard let handle = FileHandle(forReadingAtPath: path),
            let data = try? handle.read(upToCount: limit + 1)
        else { throw FileProblem(description: "\(path) can't be read.") }
        guard data.count <= limit else {
            throw FileProblem(description: "\(path) has more than \(limit) bytes.")
        }
        return Array(data)
    }
}

// MARK: - Journals and reports

extension FiledLog {
    /// Reads the newest entries of a journal, and its states of them.
    init(
        _ journal: any ReadableJournal, limit: Int = FiledLog.mostEntries
    ) async throws(JournalError) {
        let last = try await journal.lastVersion()
        let kept = try await journal.firstVersion()
        let first = max(kept, last >= CommitVersion(limit) ? last - CommitVersion(limit) + 1 : 1)
        var entries: [Entry] = []
        var states: [State] = []
        var next = first
        while next <= last {
            let page = try await journal.entries(from: next, limit: 1_024)
            guard let end = page.last else { break }
            for entry in page {
                if let state = Self.installed(by: entry) {
                    states.append(State(moment: entries.count + 1, state: .known(state)))
                }
                entries.append(Entry(entry))
            }
            next = end.version + 1
        }
        states += try await Self.snapshots(of: journal, from: first - 1, upTo: last)
        entries += LogFile.ending(of: journal).map { Entry($0) }
        // Versions leave out commits that are missing, so they are no moments.
        var moments = [first - 1: 0]
        for (index, entry) in entries.enumerated() { moments[entry.version ?? 0] = index + 1 }
        let digests = LogFile.digests(of: journal).compactMap { version, digest in
            moments[version].map { Digest(moment: $0, digest: digest) }
        }
        // Of two states of one moment, which are equal, one is enough.
        var known: Set<Int> = []
        self.init(
            entries, states: states.filter { known.insert($0.moment).inserted },
            digests: digests)
    }

    /// The state that an install holds itself.
    private static func installed(by entry: JournalEntry) -> DataValue? {
        guard entry.kind == .install else { return nil }
        return LogFile.value(of: entry.payload)?["state"]
    }

    private static func snapshots(
        of journal: any ReadableJournal, from first: CommitVersion, upTo last: CommitVersion
    ) async throws(JournalError) -> [State] {
        var states: [State] = []
        var bytes = 0
        var version = last
        while states.count < mostStates, let snapshot = try await journal.snapshot(at: version),
            snapshot.version >= first
        {
            bytes += snapshot.payload.count
            guard bytes <= mostStateBytes else { break }
            states.append(
                State(moment: Int(snapshot.version - first), state: .encoded(snapshot.payload)))
            guard snapshot.version > first else { break }
            version = snapshot.version - 1
        }
        return states
    }
}

extension FiledLog.Entry {
    /// An entry of a journal; its id is its version.
    init(_ entry: JournalEntry) {
        let isPlain = entry.kind == .action
        var kind = entry.name.isEmpty ? entry.kind.name : "\(entry.kind.name) \(entry.name)"
        if let missing = entry.missing { kind += " (\(missing))" }
        self.init(
            id: Int(clamping: entry.version), name: isPlain ? entry.name : kind,
            payload: .encoded(entry.payload),
            address: entry.address == .root ? "" : entry.address.description,
            time: entry.time?.nanosecondsSince1970 ?? 0, origin: entry.origin,
            version: entry.version)
        if entry.payload.isEmpty { payload = .known(.null) }
    }
}

// MARK: - Redux DevTools

extension FiledLog {
    /// Reads a file of Redux DevTools with its states, rejecting anything inconsistent.
    init(devTools bytes: [UInt8]) throws {
        let limits = Self.devToolsLimits
        let file = try DevToolsFile(bytes, limits: limits)
        let whole = try DataFormat.json.value(of: bytes, limits: limits)
        var states: [State] = []
        for (moment, computed) in (whole["computedStates"]?.list ?? []).enumerated() {
            guard let state = computed["state"] else { continue }
            states.append(State(moment: moment, state: .known(state)))
        }
        if states.isEmpty, let base = file.base {
            states = [State(moment: 0, state: .known(base))]
        }
        self.init(
            file.actions.map { Entry($0) }, states: states, skipped: file.skipped,
            cursor: file.cursor)
    }
}

extension FiledLog.Entry {
    fileprivate init(_ action: DevToolsFile.Action) {
        var payload = action.action
        payload["type"] = nil
        let address = payload["@address"]?.text ?? ""
        payload["@address"] = nil
        if let whole = payload["@payload"] { payload = whole }
        self.init(
            id: action.id, name: action.action["type"]?.text ?? "", payload: .known(payload),
            address: address, time: Int64(action.timestamp * 1e6),
            origin: Self.origin(action.stack))
    }

    /// The first place in a stack, as `file:line`.
    private static func origin(_ stack: String?) -> ActionOrigin {
        let first = stack?.split(separator: "\n").first ?? ""
        guard let colon = first.lastIndex(of: ":"),
            let line = Int(first[first.index(after: colon)...])
        else { return ActionOrigin(file: "", line: 0) }
        return ActionOrigin(file: String(first[..<colon].prefix(1_024)), line: line)
    }
}
#endif
