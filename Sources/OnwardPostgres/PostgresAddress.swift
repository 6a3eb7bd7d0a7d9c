// SPDX-License-Identifier: MIT
#if All

internal import OnwardJournal

/// Where a database is: what a connection string says, one server at a time.
struct PostgresAddress: Sendable {
    /// A keyword of libpq and its value.
    struct Setting: Sendable, Equatable {
        let keyword: String
        let value: String
    }

    /// The settings to connect with each server, in the order in which they are tried.
    let servers: [[Setting]]
    /// Names the database in messages: never with a password.
    let name: String

    /// Reads a connection string in either of libpq's forms.
    ///
    /// - Throws: `.invalid`, without a word of the string, as anything in it may be a password.
    init(_ text: String) throws(JournalError) {
        guard !text.contains("\0"), let settings = Libpq.settings(of: text) else {
            throw JournalError(
                .invalid,
                """
                The connection string can't be read. Write \
                "host=a,b dbname=shop user=shop" or "postgresql://shop@a,b/shop", with values that have spaces in \
                single quotes. (It isn't shown here, as it may contain a password.)
                """)
        }
        self.init(settings)
    }

    init(_ settings: [Setting]) {
        let value = { (keyword: String) in settings.first { $0.keyword == keyword }?.value ?? "" }
        let listed = { (keyword: String) -> [String] in
            let value = value(keyword)
            guard !value.isEmpty else { return [] }
            return value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let hosts = listed("host")
        let addresses = listed("hostaddr")
        let ports = listed("port")
        let given = Set(settings.map(\.keyword))
        let defaults = [
            Setting(keyword: "target_session_attrs", value: "read-write"),
            Setting(keyword: "fallback_application_name", value: "onward"),
            // A server that is gone without a word is noticed after some ten seconds.
            Setting(keyword: "keepalives_idle", value: "5"),
            Setting(keyword: "keepalives_interval", value: "2"),
            Setting(keyword: "keepalives_count", value: "3"),
            Setting(keyword: "tcp_user_timeout", value: "11000"),
        ].filter { !given.contains($0.keyword) }
        let fixed = [Setting(keyword: "client_encoding", value: "UTF8")]
        let shared =
            settings.filter {
                !["host", "hostaddr", "port", "client_encoding"].contains($0.keyword)
            }
            + defaults + fixed
        servers = (0..<max(hosts.count, addresses.count, 1)).map { server in
            var own: [Setting] = []
            if hosts.indices.contains(server) {
                own.append(Setting(keyword: "host", value: hosts[server]))
            }
            if addresses.indices.contains(server) {
                own.append(Setting(keyword: "hostaddr", value: addresses[server]))
            }
            // One port may stand for all servers.
            if let port = ports.count == 1 ? ports.first : ports.dropFirst(server).first {
                own.append(Setting(keyword: "port", value: port))
            }
            return own + shared
        }
        let database = value("dbname").isEmpty ? "the user's own" : "\"\(value("dbname"))\""
        let places = hosts.isEmpty ? addresses : hosts
        name = places.isEmpty ? database : "\(database) on \(places.joined(separator: ", "))"
    }
}
#endif
