// SPDX-License-Identifier: MIT
#if SQLite

internal import Foundation
internal import OnwardJournal

/// Where a journal is, whatever the working directory becomes.
struct JournalPlace: Sendable {
    /// The name that the app gave.
    let name: String
    /// Where that leads, through symbolic links; SQLite keeps its own files beside this one.
    let path: String

    init(_ name: String) {
        let isAbsolute = name.hasPrefix("/")
        self.name = isAbsolute ? name : FileManager.default.currentDirectoryPath + "/" + name
        path = Self.resolved(self.name)
    }

    var log: String { path + "-wal" }

    /// The name without links; its file may not exist yet, nor that of a link.
    private static func resolved(_ name: String, links: Int = 40) -> String {
        if let path = realPath(name) { return path }
        guard let slash = name.lastIndex(of: "/") else { return name }
        let folder = realPath(String(name[..<slash])) ?? String(name[..<slash])
        let files = FileManager.default
        if links > 0, let target = try? files.destinationOfSymbolicLink(atPath: name) {
            return resolved(
                target.hasPrefix("/") ? target : "\(folder)/\(target)", links: links - 1)
        }
        return (folder == "/" ? "" : folder) + name[slash...]
    }

    private static func realPath(_ name: String) -> String? {
        guard let path = realpath(name.isEmpty ? "/" : name, nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }
}

/// Which files a journal was opened on, to find out whether they are still the ones that its name stands for.
///
/// SQLite goes on writing to a file that was deleted, renamed, replaced or emptied, and says that all is well; what it
/// writes is lost with the last one who has that file open.
struct JournalPresence: Sendable {
    private let place: JournalPlace
    private let files: [(name: String, identity: FileIdentity)]
    /// SQLite's log; nil for who only reads.
    private let log: WriteAheadLog?
    /// The identity of the journal's file; nil where it isn't among the system's files.
    let identity: FileIdentity?

    /// Notes what a journal's names stand for now; a reader may find no log.
    init(_ place: JournalPlace, writing isWriting: Bool) throws(JournalError) {
        self.place = place
        guard case .file(let identity) = FileIdentity.look(at: place.name) else {
            (files, log, self.identity) = ([], nil, nil)
            return
        }
        var files = [(place.name, identity)]
        if place.path != place.name { files.append((place.path, identity)) }
        if isWriting {
            guard case .file(let log) = FileIdentity.look(at: place.log) else {
                throw .gone(place.log)
            }
            files.append((place.log, log))
        }
        log = try isWriting ? WriteAheadLog(place.log) : nil
        self.files = files
        self.identity = identity
    }

    /// Fails unless each name still stands for its file, and the log is as SQLite has left it.
    ///
    /// - Throws: `.gone`; `.storage` where the system can't say.
    func check() throws(JournalError) {
        for file in files {
            switch FileIdentity.look(at: file.name) {
            case .file(file.identity):
                if file.name == place.path, FileIdentity.isEmpty(file.name) {
                    throw .changed(file.name)
                }
            case .hidden: break
            case .file, .nothing: throw .gone(file.name)
            case .unknown(let reason):
                throw JournalError(
                    .storage,
                    """
                    It isn't known whether the file \(file.name) is still there: the system says \(reason). Read \
                    where the journal ends before you go on.
                    """)
            }
        }
        try log?.check()
    }
}
#endif
