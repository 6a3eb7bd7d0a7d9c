// SPDX-License-Identifier: MIT
#if Cluster

import Foundation

/// A PostgreSQL server in a folder of its own, which answers at a socket there and nowhere else.
struct DatabaseServer {
    private let folder: String
    private let process: ChildProcess

    /// How to connect with it.
    var address: String { "host=\(folder) user=postgres dbname=postgres" }

    /// Makes an empty server and starts it.
    ///
    /// - Throws: Where PostgreSQL isn't installed, in one sentence.
    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/rps-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        do {
            // It refuses to run as root.
            if geteuid() == 0 { try ChildProcess.run(["chown", "postgres", folder]) }
            try ChildProcess.run(
                Self.asUser + [
                    Self.program("initdb"), "-D", folder + "/data", "-U", "postgres",
                    "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C",
                ])
            process = try ChildProcess(
                ["/usr/bin/env"] + Self.asUser + [
                    "sh", "-c", #"exec "$@" 2>"$0""#, folder + "/data/log",
                    Self.program("postgres"), "-D", folder + "/data", "-k", folder, "-c",
                    "listen_addresses=", "-c", "max_connections=200",
                ], endedBy: "QUIT", in: folder)
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    /// Ends it, and removes what it has kept.
    func end() { process.endAtOnce() }

    private static let asUser =
        geteuid() == 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] : []

    /// The newest version in the usual folder of Debian and Ubuntu; else what the search path has.
    private static func program(_ name: String) -> String {
        let versions =
            (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        return versions.max { (Int($0) ?? 0) < (Int($1) ?? 0) }
            .map { "/usr/lib/postgresql/\($0)/bin/\(name)" } ?? name
    }
}
#endif
