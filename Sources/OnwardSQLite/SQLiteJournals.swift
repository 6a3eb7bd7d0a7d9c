// SPDX-License-Identifier: MIT
#if SQLite

internal import Foundation
internal import Onward
public import OnwardJournal

/// The journals of many stores in one folder, each in an SQLite file of its own: for a server whose visitors each
/// have a store.
///
/// ```swift
/// let journals = try SQLiteJournals(in: "/var/lib/shop")
/// let journal = try await journals.journal(named: visitor.fileName)
/// ```
///
/// However many journals there are and are in use, only so many files are open at a time. A journal whose file
/// was closed to open another one opens it again with its next call. A file is closed only while no call waits in
/// it.
///
/// One object has the folder at a time; another one, in this process or another, is refused with
/// `JournalError.Code.locked`. Single files may be read meanwhile, as by `onward log`.
public final class SQLiteJournals: Journals {
    private let folder: JournalFolder
    private let files: JournalFiles
    private let contents: Guarded<Contents>

    private struct Contents {
        /// Held until the journals are closed.
        var lock: WriterLock?
        /// The journals that were given out and aren't closed, by their files.
        var inUse: [String: SQLiteNamedJournal] = [:]
    }

    /// Takes a folder, which is made where it isn't there.
    ///
    /// - Parameters:
    ///   - folder: Where the files are, below folders with names of two digits.
    ///   - options: How entries are kept.
    ///   - openLimit: How many journals may have their files open, at least 1; each takes four of the
    ///     process' descriptors.
    /// - Throws: `JournalError.Code.locked` where another object has the folder, `.unwritable`
    ///   where it can't be made or written.
    public init(
        in folder: String, options: SQLiteJournalOptions = SQLiteJournalOptions(),
        openLimit: Int = 32
    ) throws(JournalError) {
        self.folder = try JournalFolder(folder)
        contents = Guarded(Contents(lock: try WriterLock(beside: "\(folder)/journals")))
        files = JournalFiles(options, limit: openLimit)
    }

    /// How many journals have their files open.
    public var openCount: Int { get async { await files.count } }

    /// The journal of a store, to be written; an empty one where there is none.
    ///
    /// - Throws: `JournalError.Code.locked` while another object has it that isn't closed,
    ///   `.invalid` for a name that isn't of 1 to 64 bytes; otherwise as opening an ``SQLiteJournal``.
    public func journal(named name: String) async throws(JournalError) -> any Journal {
        let path = try folder.file(of: name)
        let journal = SQLiteNamedJournal(path, files) { [contents] in
            contents.withValue { $0.inUse[path] = nil }
        }
        let problem: JournalError? = contents.withValue { contents in
            if contents.lock == nil { return .closed("journal(named:)") }
            if contents.inUse[path] != nil { return .inUse(path) }
            contents.inUse[path] = journal
            return nil
        }
        if let problem { throw problem }
        do {
            // What stands in the way is better known now than at the first entry.
            _ = try await journal.lastPosition()
        } catch {
            await journal.close()
            throw error
        }
        return journal
    }

    /// Whether there is a journal of that name.
    public func contains(_ name: String) async throws(JournalError) -> Bool {
        access(try folder.file(of: name), F_OK) == 0
    }

    /// Removes a journal with all it has; does nothing where there is none.
    ///
    /// - Throws: `JournalError.Code.locked` unless it is closed, `.unwritable`.
    public func remove(_ name: String) async throws(JournalError) {
        try remove(file: folder.file(of: name))
    }

    /// Removes the journals that nothing was written to for a time; those in use stay.
    ///
    /// A hosting that restores visitors does so with the folder of its journals: what is to stay, such as the
    /// journals of rooms, belongs into another folder.
    ///
    /// - Complexity: O(journals).
    public func removeUnused(for age: Duration) async throws(JournalError) {
        let oldest = Date(timeIntervalSinceNow: -TimeInterval(age.components.seconds))
        for file in folder.files() where file.written < oldest {
            do {
                try remove(file: file.path)
            } catch {
                // It is in use.
                guard error.code == .locked else { throw error }
            }
        }
    }

    /// Closes all journals; the next object may take the folder.
    public func close() async {
        let inUse = contents.withValue { Array($0.inUse.values) }
        for journal in inUse { await journal.close() }
        contents.withValue { $0.lock = nil }
    }

    private func remove(file path: String) throws(JournalError) {
        // Under the lock, so that nobody opens what is being removed.
        let problem = contents.withValue { contents in
            contents.inUse[path] == nil ? folder.remove(path) : .inUse(path)
        }
        if let problem { throw problem }
    }
}

extension JournalError {
    fileprivate static func inUse(_ path: String) -> JournalError {
        JournalError(
            .locked,
            """
            The journal \(path) is in use by another store of this process. Close that one first: shut down its \
            Persistence.
            """)
    }
}
#endif
