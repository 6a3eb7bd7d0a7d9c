// SPDX-License-Identifier: MIT
#if All

internal import CLibpq
internal import Foundation

/// A connection as libpq has it, and all unsafe code of this module.
///
/// Its methods block their thread until the server has answered or a moment has come. They are called on the queue of
/// the ``PostgresConnection`` that has it, one at a time; that makes it Sendable.
final class Libpq: @unchecked Sendable {
    private let connection: OpaquePointer
    private let warnings: Warnings
    /// The statements that the server has parsed for this connection: their names, by their texts.
    private var names: [String: String] = [:]
    /// Whether it keeps them: behind a pooler the next statement may come to another session.
    private var keepsStatements = true

    /// Warnings that came with the last statement; libpq hands them to a C function.
    private final class Warnings {
        var texts: [String] = []
    }

    private init(_ connection: OpaquePointer, _ warnings: Warnings) {
        self.connection = connection
        self.warnings = warnings
    }

    deinit { PQfinish(connection) }

    // MARK: Connecting

    /// Connects to one server.
    ///
    /// - Parameters:
    ///   - settings: Keywords of libpq and their values.
    ///   - deadline: When to give up.
    /// - Returns: A connection that no statement was sent by.
    /// - Throws: `.unreachable`, with the server's code where it has answered.
    static func connect(
        _ settings: [PostgresAddress.Setting], until deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) -> Libpq {
        let connection = withTexts(settings.map(\.keyword)) { keywords in
            withTexts(settings.map(\.value)) { values in
                PQconnectStartParams(keywords, values, 0)
            }
        }
        guard let connection else { throw .unreachable("there is no memory for a connection") }
        let warnings = Warnings()
        let libpq = Libpq(connection, warnings)
        // With the server's code in front of its sentence, which is in the server's language.
        PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
        PQsetNoticeReceiver(
            connection,
            { warnings, result in
                guard let warnings, let result else { return }
                let severity = PQresultErrorField(result, Field.severity).map {
                    String(cString: $0)
                }
                guard severity == "WARNING" else { return }
                Unmanaged<Warnings>.fromOpaque(warnings).takeUnretainedValue().texts.append(
                    PQresultErrorField(result, Field.message).map { String(cString: $0) } ?? "")
            }, Unmanaged.passUnretained(warnings).toOpaque())
        var next =
            PQstatus(connection) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
        while true {
            switch next {
            case PGRES_POLLING_OK:
                guard PQsetnonblocking(connection, 1) == 0 else { throw libpq.unreachable() }
                return libpq
            case PGRES_POLLING_READING, PGRES_POLLING_WRITING:
                let isWriting = next == PGRES_POLLING_WRITING
                guard libpq.wait(writing: isWriting, until: deadline) else {
                    throw .unreachable("it has not answered in time")
                }
            default: throw libpq.unreachable()
            }
            next = PQconnectPoll(connection)
        }
    }

    private func unreachable() -> PostgresFailure {
        let text = String(cString: PQerrorMessage(connection))
        return PostgresFailure(.unreachable, verbose: withoutPassword(text))
    }

    /// A text of the server or of libpq, without the password that was used.
    private func withoutPassword(_ text: String) -> String {
        let password = PQpass(connection).map { String(cString: $0) } ?? ""
        guard !password.isEmpty else { return text }
        return text.replacingOccurrences(of: password, with: "…")
    }

    /// The keywords and values of a connection string; nil where libpq can't read it.
    ///
    /// libpq's own complaint is not passed on, as it may quote what stands where a password should.
    static func settings(of text: String) -> [PostgresAddress.Setting]? {
        var complaint: UnsafeMutablePointer<CChar>?
        defer { PQfreemem(complaint) }
        guard let options = PQconninfoParse(text, &complaint) else { return nil }
        defer { PQconninfoFree(options) }
        var settings: [PostgresAddress.Setting] = []
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                settings.append(
                    PostgresAddress.Setting(
                        keyword: String(cString: keyword), value: String(cString: value)))
            }
            option += 1
        }
        return settings
    }

    // MARK: State

    /// The descriptor of the connection's socket.
    var socket: CInt { PQsocket(connection) }

    /// The process of the server that serves the connection.
    var process: CInt { PQbackendPID(connection) }

    /// Whether the connection is open, as far as the system knows.
    func isOpen() -> Bool {
        PQconsumeInput(connection) == 1 && PQstatus(connection) == CONNECTION_OK
    }

    // MARK: Statements

    /// Runs a statement, in a transaction of its own unless one has begun.
    ///
    /// - Throws: `.refused` where the server says so and the connection goes on; `.lost` where it isn't known what the
    ///   statement has done; `.unconfirmed` where it was done with a warning.
    func run(
        _ statement: Statement, until deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) -> PostgresRows {
        warnings.texts = []
        if keepsStatements, !statement.parameters.isEmpty {
            do throws(PostgresFailure) {
                let name = try name(of: statement, until: deadline)
                guard send(statement, as: name) else { throw lost() }
                return try result(until: deadline)
            } catch {
                // Unknown to the session, or known already: nothing was done.
                guard error.kind == .refused, ["26000", "42P05"].contains(error.state) else {
                    throw error
                }
                keepsStatements = false
                // A transaction has to be repeated as a whole.
                guard PQtransactionStatus(connection) == PQTRANS_IDLE else { throw error }
            }
        }
        guard send(statement, as: nil) else { throw lost() }
        return try result(until: deadline)
    }

    /// The name under which the server knows a statement, which it parses once for a connection; nil where it knows enough.
    private func name(
        of statement: Statement, until deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) -> String? {
        if let name = names[statement.sql] { return name }
        guard names.count < Self.namesLimit else { return nil }
        let name = "onward\(names.count)"
        let types = statement.parameters.map(\.type)
        guard PQsendPrepare(connection, name, statement.sql, CInt(types.count), types) == 1 else {
            throw lost()
        }
        _ = try result(until: deadline)
        names[statement.sql] = name
        return name
    }

    /// How many statements the server keeps for a connection; there are fewer.
    private static let namesLimit = 100

    /// Has the rest of what was sent go, and waits for what the server answers.
    private func result(
        until deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) -> PostgresRows {
        while true {
            let rest = PQflush(connection)
            if rest == 0 { break }
            guard rest > 0 else { throw lost() }
            guard wait(writing: true, until: deadline) else { throw .lost(Self.silence) }
            guard PQconsumeInput(connection) == 1 else { throw lost() }
        }
        var rows = PostgresRows()
        var refusal: PostgresFailure?
        while let result = try nextResult(until: deadline) {
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK: rows = Self.rows(of: result)
            default: refusal = self.refusal(of: result)
            }
        }
        // What ended the connection may have come behind a commit.
        guard PQstatus(connection) == CONNECTION_OK else {
            throw refusal.map { .lost($0.message) } ?? lost()
        }
        if let refusal { throw refusal }
        if let warning = warnings.texts.first {
            throw PostgresFailure(.unconfirmed, withoutPassword(warning))
        }
        return rows
    }

    private static let silence = "it has not answered in time"

    private func lost() -> PostgresFailure {
        let text = String(cString: PQerrorMessage(connection))
        return PostgresFailure(.lost, verbose: withoutPassword(text))
    }

    private func send(_ statement: Statement, as name: String?) -> Bool {
        var bytes: [UInt8] = []
        var starts: [Int?] = []
        for parameter in statement.parameters {
            starts.append(parameter.bytes == nil ? nil : bytes.count)
            bytes += parameter.bytes ?? []
        }
        // So that there is an address where nothing follows.
        bytes.append(0)
        let types = statement.parameters.map(\.type)
        let lengths = statement.parameters.map { CInt(clamping: $0.bytes?.count ?? 0) }
        let formats = [CInt](repeating: 1, count: lengths.count)
        return bytes.withUnsafeBytes { bytes in
            let characters = bytes.bindMemory(to: CChar.self).baseAddress
            let values = starts.map { start in start.flatMap { characters?.advanced(by: $0) } }
            guard let name else {
                return PQsendQueryParams(
                    connection, statement.sql, CInt(values.count), types, values, lengths, formats,
                    1) == 1
            }
            return PQsendQueryPrepared(
                connection, name, CInt(values.count), values, lengths, formats, 1) == 1
        }
    }

    private func nextResult(
        until deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) -> OpaquePointer? {
        while PQisBusy(connection) == 1 {
            guard wait(writing: false, until: deadline) else { throw .lost(Self.silence) }
            guard PQconsumeInput(connection) == 1 else { throw lost() }
        }
        return PQgetResult(connection)
    }

    private func refusal(of result: OpaquePointer) -> PostgresFailure {
        let state = PQresultErrorField(result, Field.state).map { String(cString: $0) }
        let message = PQresultErrorField(result, Field.message).map { String(cString: $0) }
        return PostgresFailure(
            .refused, state: state,
            withoutPassword(message ?? String(cString: PQresultErrorMessage(result))))
    }

    private static func rows(of result: OpaquePointer) -> PostgresRows {
        let columns = PQnfields(result)
        var rows = PostgresRows()
        rows.affected = Int(String(cString: PQcmdTuples(result))) ?? 0
        rows.columns = Int(columns)
        for row in 0..<PQntuples(result) {
            for column in 0..<columns {
                if PQgetisnull(result, row, column) == 1 {
                    rows.addNull()
                } else {
                    rows.add(
                        UnsafeRawBufferPointer(
                            start: PQgetvalue(result, row, column),
                            count: Int(PQgetlength(result, row, column))))
                }
            }
        }
        return rows
    }

    // MARK: Notifications

    /// What was notified since the last call; nil where the connection has ended.
    func notifications() -> [String]? {
        guard isOpen() else { return nil }
        var texts: [String] = []
        while let notification = PQnotifies(connection) {
            texts.append(String(cString: notification.pointee.extra))
            PQfreemem(notification)
        }
        return texts
    }

    // MARK: Means

    /// Waits until the socket can be read, or be read or written; false when the moment comes first.
    private func wait(writing isWriting: Bool, until deadline: ContinuousClock.Instant) -> Bool {
        while true {
            let left = deadline - .now
            guard left > .zero else { return false }
            let milliseconds =
                left.components.seconds * 1_000
                + left.components.attoseconds / 1_000_000_000_000_000 + 1
            var descriptor = pollfd(
                fd: PQsocket(connection), events: Int16(isWriting ? POLLIN | POLLOUT : POLLIN),
                revents: 0)
            let ready = poll(&descriptor, 1, CInt(clamping: milliseconds))
            if ready > 0 { return true }
            if ready < 0, errno != EINTR { return true }  // libpq finds out what is wrong.
        }
    }

    /// The fields of a server's message, as C's header has them.
    private enum Field {
        static let severity = CInt(UInt8(ascii: "V"))
        static let state = CInt(UInt8(ascii: "C"))
        static let message = CInt(UInt8(ascii: "M"))
    }

    /// Texts as C wants them, with a null pointer behind the last.
    private static func withTexts<Value>(
        _ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> Value
    ) -> Value {
        var starts: [Int] = []
        var characters: [CChar] = []
        for text in texts {
            starts.append(characters.count)
            characters += text.utf8CString
        }
        return characters.withUnsafeBufferPointer { characters in
            body(starts.map { characters.baseAddress?.advanced(by: $0) } + [nil])
        }
    }
}
#endif
