// SPDX-License-Identifier: MIT

import Processes

/// What S1 measures.
struct Figures {
    /// The time from a dispatch until the last reader has its commit: the median of all commits.
    let milliseconds: Double
    /// The same for the slowest commit.
    let worstMilliseconds: Double
    /// How much the server's resident memory grew, divided by the number of streams.
    let kibibytesPerStream: Double

    /// Starts a server, opens the streams, lets it commit, and ends it.
    static func measure(streams: Int, commits: Int) throws -> Figures {
        try Machine.allowOpenFiles(streams + 64)
        let server = try ServerProcess("serve", "\(streams)")
        defer { server.stop() }

        // What the first readers make the server allocate once isn't theirs.
        let warmup = try Readers(8, port: server.port)
        try warmup.wait(for: try server.commit(20).last?.version ?? 0)
        try warmup.close()

        let empty = try server.residentMemory()
        let readers = try Readers(streams, port: server.port)
        let opened = try server.residentMemory()
        let commits = try server.commit(commits)
        try readers.wait(for: commits.last?.version ?? 0)
        let used = max(opened, try server.residentMemory())
        let delays = readers.lastDelays(of: commits).sorted()
        try readers.close()
        return Figures(
            milliseconds: delays[delays.count / 2], worstMilliseconds: delays[delays.count - 1],
            kibibytesPerStream: Double(used - empty) / 1_024 / Double(streams))
    }
}
