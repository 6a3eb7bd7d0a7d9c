// SPDX-License-Identifier: MIT
#if SQLite

internal import OnwardJournal

/// Opens the files of journals, and closes them to open others.
///
/// A shell around ``OpenFiles``.
actor JournalFiles {
    let options: SQLiteJournalOptions
    private var files: OpenFiles<SQLiteJournal>
    /// Which files the journals in use have, so that a file that is opened again is the same one.
    private var identities: [String: FileIdentity] = [:]
    /// The journals whose files stay closed for now.
    private var suspended: Set<String> = []
    /// Those who wait for a file to be closed or no longer used, at most a few for each journal in use.
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ options: SQLiteJournalOptions, limit: Int) {
        self.options = options
        files = OpenFiles(limit: limit)
    }

    var count: Int { files.count }

    /// Makes a call of a journal, whose file stays open meanwhile.
    ///
    /// - Throws: `.closed` where the journal was closed while the call waited.
    func use<Value: Sendable>(
        _ path: String, until end: JournalEnd,
        _ call: @Sendable (SQLiteJournal) async throws(JournalError) -> Value
    ) async throws(JournalError) -> Value {
        let journal = try await begin(path, end)
        defer {
            files.end(path)
            notify()
        }
        return try await call(journal)
    }

    /// Closes the file of a journal that nobody calls any more.
    func retire(_ path: String) async {
        suspended.remove(path)
        notify()
        await release(path)
        identities[path] = nil
    }

    /// Closes the file of a journal, behind its calls; later ones wait until it may be opened again.
    func suspend(_ path: String) async {
        suspended.insert(path)
        await release(path)
    }

    func resume(_ path: String) {
        suspended.remove(path)
        notify()
    }

    private func release(_ path: String) async {
        while let step = files.retire(path) {
            guard case .close(let journal, _) = step else {
                await change()
                continue
            }
            await close(journal, path)
        }
    }

    private func begin(
        _ path: String, _ end: JournalEnd
    ) async throws(JournalError) -> SQLiteJournal {
        while true {
            if end.isClosed { throw .closed("A call") }
            if suspended.contains(path) {
                await change()
                continue
            }
            switch files.begin(path) {
            case .use(let journal): return journal
            case .open: return try await open(path)
            case .close(let journal, let other): await close(journal, other)
            case .wait: await change()
            }
        }
    }

    private func open(_ path: String) async throws(JournalError) -> SQLiteJournal {
        defer { notify() }
        do {
            let journal = try await SQLiteJournal(
                path, options, reading: false, expecting: identities[path])
            identities[path] = journal.identity
            files.opened(journal, of: path)
            return journal
        } catch {
            files.closed(path)
            throw error
        }
    }

    private func close(_ journal: SQLiteJournal, _ path: String) async {
        await journal.close()
        files.closed(path)
        notify()
    }

    private func change() async { await withCheckedContinuation { waiting.append($0) } }

    private func notify() {
        let ready = waiting
        waiting = []
        for waiter in ready { waiter.resume() }
    }
}
#endif
