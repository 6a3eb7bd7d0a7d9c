// SPDX-License-Identifier: MIT
#if All

internal import OnwardJournal

/// Why a try of a statement failed, and what is known of its outcome then.
struct PostgresFailure: Error, Equatable {
    enum Kind {
        /// There was no connection: nothing was sent.
        case unreachable
        /// The connection ended, or the server was silent: what was sent may have been done, or be done later.
        case lost
        /// The server has refused the statement: nothing was done.
        case refused
        /// It was done on the server, with a warning: a standby may not have it.
        case unconfirmed
        /// The call doesn't fit the journal: nothing was done.
        case rejected
        /// The database was closed.
        case closed
    }

    let kind: Kind
    /// The SQLSTATE; nil where the server has said none.
    let state: String?
    let message: String
    /// What a call that was rejected throws.
    let rejection: JournalError?

    init(_ kind: Kind, state: String? = nil, _ message: String) {
        self.kind = kind
        self.state = state
        self.message = message
        rejection = nil
    }

    /// A call that doesn't fit the journal.
    init(_ rejection: JournalError) {
        kind = .rejected
        state = nil
        message = rejection.description
        self.rejection = rejection
    }

    static let closed = PostgresFailure(.closed, "the database was closed")

    /// Reads what libpq says in its verbose form: "…FATAL:  28P01: the sentence", then lines about the place in the
    /// server's source.
    init(_ kind: Kind, verbose text: String) {
        let line = text.split(separator: "\n").first.map(String.init) ?? ""
        guard let code = line.firstRange(of: #/: +(?=[A-Z]*[0-9])[0-9A-Z]{5}: /#) else {
            self.init(kind, line)
            return
        }
        let state = line[code].filter { $0.isLetter || $0.isNumber }
        self.init(kind, state: state, "\(line[..<code.lowerBound]): \(line[code.upperBound...])")
    }

    static func unreachable(_ message: String) -> PostgresFailure {
        PostgresFailure(.unreachable, message)
    }

    static func lost(_ message: String) -> PostgresFailure { PostgresFailure(.lost, message) }

    /// Whether the connection can be used again.
    var keepsConnection: Bool {
        // A server that can only be read was the primary once; the next connection finds the new one.
        kind == .unconfirmed || kind == .rejected || (kind == .refused && state != "25006")
    }

    /// Whether another try may succeed.
    var isTransient: Bool {
        switch kind {
        case .lost, .unconfirmed: true
        case .rejected, .closed: false
        case .unreachable:
            // A wrong password, a database that isn't there. A server that starts or stops says 57P0x.
            !["28", "3D", "42"].contains(state?.prefix(2) ?? "")
        case .refused:
            // Connections, too many of them, a transaction that has to be repeated, a server that ends, a session that
            // isn't the one of the statement before.
            ["08", "40"].contains(state?.prefix(2) ?? "")
                || ["25006", "26000", "42P05", "53300", "55P03", "57P01", "57P02", "57P03"]
                    .contains(state)
        }
    }
}
#endif
