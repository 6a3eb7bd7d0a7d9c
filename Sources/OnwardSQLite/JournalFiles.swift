// SPDX-License-Identifier: MIT
#if SQLite

internal import OnwardJournal

/// Opens the files of journals, and closes them to open others.
///
/// A shell around ``OpenFiles``.
actor JournalFiles {
    private let options: SQLiteJournalOptions
    private var files: OpenFiles<SQLiteJournal>
    /// Those who wait for a file to be closed or no longer used, at most a few for each journal in use.
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ options: SQLiteJournalOptions, limit: Int) {
        self.options = options
        files = OpenFiles(limit: limit)
    }

    var count: Int { files.count }

    /// Makes a call of a journal, whose file stays open meanwhile.
    func use<Value: Sendable>(
        _ path: String,
        _ call: @Sendable (SQLiteJournal) async throws(JournalError) -> Value
    ) async throws(JournalError) -> Value {
        let journal = try await begin(path)
        defer {
            files.end(path)
            notify()
        }
        return try await call(journal)
    }

    /// Closes the file of a journal that nobody calls any more.
    func retire(_ path: String) async {
        while let step = files.retire(path) {
            guard case .close(let journal, _) = step else {
                await change()
                continue
            }
            await close(journal, path)
        }
    }

    private func begin(_ path: String) async throws(JournalError) -> SQLiteJournal {
        while true {
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
            let journal = try await SQLiteJournal(at: path, options: options)
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
