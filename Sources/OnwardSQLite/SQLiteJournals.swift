// SPDX-License-Identifier: MIT
#if SQLite

internal import Foundation
internal import Onward
public import OnwardJournal

/// The journals of many stores in one folder, each in its own SQLite file, for a server whose
/// visitors each have a store.
///
/// ```swift
/// let journals = try SQLiteJournals(in: "/var/lib/shop")
/// let journal = try await journals.journal(named: visitor.fileName)
/// ```
///
/// However many journals exist and are in use, only a limited number of files are open at a time. A
/// journal whose file was closed to open another one reopens it with its next call. A file is
/// closed only while no call is waiting in it.
///
/// Only one object has the folder at a time; another one, in this process or another, is refused
/// with `JournalError.Code.locked`. Single files may be read meanwhile, as by `onward inspect`.
public final class SQLiteJournals: Journals {
    private let folder: JournalFolder
    private let files: JournalFiles
    private let contents: Guarded<Contents>

    private struct Contents {
        /// Held until the journals are closed.
        var lock: WriterLock?
        /// The journals that were handed out and aren't closed, by their files.
        var inUse: [String: SQLiteNamedJournal] = [:]
        var isSuspended = false
    }

    /// Opens a folder, which is created if it doesn't exist.
    ///
    /// - Parameters:
    ///   - folder: The folder of the files, which are in subfolders with two-digit names.
    ///   - options: How entries are kept.
    ///   - openLimit: How many journals may have their files open, at least 1; each takes five of
    ///     the process's descriptors.
    /// - Throws: `JournalError.Code.locked` if another object has the folder, `.unwritable` if it
    ///   can't be created or written.
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

    /// Returns the journal of a store for writing; an empty one if there is none.
    ///
    /// - Throws: `JournalError.Code.locked` while another object that isn't closed has it,
    ///   `.invalid` for a name that isn't of 1 to 64 bytes; otherwise as opening an
    ///   ``SQLiteJournal``.
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
            // It is better to find out about problems now than at the first entry.
            _ = try await journal.lastPosition()
        } catch {
            await journal.close()
            throw error
        }
        return journal
    }

    /// Whether there is a journal with that name.
    public func contains(_ name: String) async throws(JournalError) -> Bool {
        access(try folder.file(of: name), F_OK) == 0
    }

    /// Removes a journal with everything in it; does nothing if there is none.
    ///
    /// - Throws: `JournalError.Code.locked` unless it is closed, `.unwritable`.
    public func remove(_ name: String) async throws(JournalError) {
        try remove(file: folder.file(of: name))
    }

    /// Removes the journals that haven't been written to for a time; those in use stay.
    ///
    /// A hosting that restores visitors does this with the folder of its journals, so keep what
    /// should stay, such as the journals of rooms, in another folder.
    ///
    /// - Complexity: O(journals).
    public func removeUnused(for age: Duration) async throws(JournalError) {
        let oldest = Date(timeIntervalSinceNow: -(age / .seconds(1)))
        for file in folder.files() where file.written < oldest {
            do {
                try remove(file: file.path)
            } catch {
                // It is in use.
                guard error.code == .locked else { throw error }
            }
        }
    }

    /// Closes all journals; the next object may then open the folder.
    public func close() async {
        let inUse = contents.withValue { Array($0.inUse.values) }
        for journal in inUse { await journal.close() }
        contents.withValue { contents in
            contents.lock = nil
            contents.isSuspended = false
        }
    }

    /// Closes all files behind the calls that are under way, and lets go of every lock on them and on
    /// the folder; later calls wait until ``resume()``.
    public func suspend() async {
        let inUse = contents.withValue { contents in
            contents.isSuspended = true
            return Array(contents.inUse.values)
        }
        for journal in inUse { await journal.suspend() }
        contents.withValue { $0.lock = nil }
    }

    /// Takes up the lock on the folder again; waiting calls go on.
    ///
    /// Does nothing unless the journals are suspended.
    ///
    /// - Throws: `JournalError.Code.locked` if another object has the folder by now, and what opening
    ///   a journal throws: then this may be called again.
    public func resume() async throws(JournalError) {
        guard contents.withValue({ $0.isSuspended }) else { return }
        let lock = try WriterLock(beside: "\(folder.path)/journals")
        let inUse = contents.withValue { contents in
            contents.lock = lock
            contents.isSuspended = false
            return Array(contents.inUse.values)
        }
        var problem: JournalError?
        for journal in inUse {
            do {
                try await journal.resume()
            } catch {
                if error.code != .closed { problem = problem ?? error }
            }
        }
        guard let problem else { return }
        await suspend()
        throw problem
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
