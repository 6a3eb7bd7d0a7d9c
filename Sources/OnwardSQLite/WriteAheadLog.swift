// SPDX-License-Identifier: MIT
#if SQLite

internal import Foundation
internal import Onward
internal import OnwardJournal

/// SQLite's log beside a journal: whether somebody has changed it while it was open.
///
/// SQLite keeps in memory what its log has, and doesn't notice that another program has emptied, cut or overwritten
/// it: it goes on behind what is lost, and the next one to open the journal finds nothing of that.
final class WriteAheadLog: Sendable {
    let name: String
    private let descriptor: CInt
    /// What the last look has found.
    private let known = Guarded(LogLook(size: 0, header: []))

    /// Opens the log to look at it.
    ///
    /// SQLite locks other files, so closing this one lets go of no lock.
    init(_ name: String) throws(JournalError) {
        self.name = name
        descriptor = open(name, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .gone(name) }
        // SQLite begins anew what an earlier program has left, if it can't read that.
        if let look = LogLook(descriptor) { known.withValue { $0 = look } }
    }

    deinit { close(descriptor) }

    /// Fails if the log can't be what SQLite has made of it since the last look.
    ///
    /// - Throws: `.gone`.
    func check() throws(JournalError) {
        // Of a file that can't be read now, the next look says more.
        guard let look = LogLook(descriptor) else { return }
        let follows = known.withValue { known in
            guard look.canFollow(known) else { return false }
            known = look
            return true
        }
        if !follows { throw .changed(name) }
    }
}

/// A look at SQLite's log: a pure value.
///
/// The format is that of https://sqlite.org/fileformat2.html#walformat.
struct LogLook: Sendable, Equatable {
    private static let headerSize = 32

    let size: Int
    /// What the file begins with.
    let header: [UInt8]

    init(size: Int, header: [UInt8]) {
        self.size = size
        self.header = header
    }

    /// Nil where the system doesn't say.
    init?(_ descriptor: CInt) {
        var status = stat()
        var header = [UInt8](repeating: 0, count: Self.headerSize)
        guard fstat(descriptor, &status) == 0 else { return nil }
        let count = pread(descriptor, &header, Self.headerSize, 0)
        guard count >= 0 else { return nil }
        self.init(size: Int(status.st_size), header: Array(header.prefix(count)))
    }

    /// Whether SQLite may have made this of what was there before.
    ///
    /// It empties its log, begins it anew from the first byte with a new header, or goes on at the end.
    func canFollow(_ before: LogLook) -> Bool {
        if size == 0 || self == before { return true }
        guard isHeaderRight else { return false }
        if header == before.header { return size >= before.size }
        // Begun anew: such beginnings are numbered, but for those of a log in which nothing could be read.
        return !before.isHeaderRight || Int32(bitPattern: beginning &- before.beginning) >= 0
    }

    private var beginning: UInt32 { word(12, isBig: true) }

    private var isHeaderRight: Bool {
        guard header.count == Self.headerSize else { return false }
        let isBig: Bool
        switch word(0, isBig: true) {
        case 0x377f_0682: isBig = false
        case 0x377f_0683: isBig = true
        default: return false
        }
        var (first, second): (UInt32, UInt32) = (0, 0)
        for offset in stride(from: 0, to: 24, by: 8) {
            first &+= word(offset, isBig: isBig) &+ second
            second &+= word(offset + 4, isBig: isBig) &+ first
        }
        return first == word(24, isBig: true) && second == word(28, isBig: true)
    }

    private func word(_ offset: Int, isBig: Bool) -> UInt32 {
        let bytes = header[offset..<offset + 4]
        return (isBig ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
#endif
