// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// Writes messages as bytes, and reads those of the other side within limits.
package struct MessageCodec: Sendable {
    private let limits: SyncLimits

    package init(_ limits: SyncLimits) {
        self.limits = limits
    }

    /// - Complexity: O(size of the message).
    package func bytes(of message: UpMessage) throws(SyncMessageError) -> [UInt8] {
        try write(message, within: limits.messageBytes)
    }

    /// - Complexity: O(size of the message).
    package func bytes(of message: DownMessage) throws(SyncMessageError) -> [UInt8] {
        Self.bytes(of: try body(of: message.inSession(0)), in: message.session)
    }

    /// A message to whoever it may concern, to be sent to several sessions.
    ///
    /// - Complexity: O(size of the message).
    func body(of message: DownMessage) throws(SyncMessageError) -> [UInt8] {
        try write(message, within: limits.stateBytes)
    }

    /// A message to one session, whose number comes first.
    static func bytes(of body: [UInt8], in session: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(sessionLength + body.count)
        for byte in 0..<sessionLength {
            bytes.append(UInt8(truncatingIfNeeded: session >> (56 - 8 * byte)))
        }
        bytes.append(contentsOf: body)
        return bytes
    }

    /// How many bytes come before the body of a message to a client.
    static var sessionLength: Int { 8 }

    /// Reads what a client has sent.
    ///
    /// - Complexity: O(bytes), whatever they contain.
    package func upMessage(of bytes: [UInt8]) throws(SyncMessageError) -> UpMessage {
        let message = try read(UpMessage.self, bytes, within: limits.messageBytes)
        switch message {
        case .hello(_, _, _, _, let runs):
            // Besides those of what is pending, the run that more comes of.
            try check(runs.dropLast().count, within: limits.pending, "earlier runs")
            for run in runs where run.first == 0 || run.first > run.last {
                throw SyncMessageError(
                    .invalid, "A run can't wait for the proposals \(run.first) to \(run.last).")
            }
        case .propose(_, _, _, _, _, let proposals):
            try check(proposals.count, within: limits.proposalsPerMessage, "proposals")
            for proposal in proposals where proposal.id.number == 0 {
                throw SyncMessageError(.invalid, "Proposals are numbered from 1.")
            }
        }
        return message
    }

    /// Reads what a server has sent.
    ///
    /// - Complexity: O(bytes), whatever they contain.
    package func downMessage(of bytes: [UInt8]) throws(SyncMessageError) -> DownMessage {
        let session = bytes.prefix(Self.sessionLength).reduce(0) { $0 << 8 | UInt64($1) }
        let message = try read(
            DownMessage.self, Array(bytes.dropFirst(Self.sessionLength)), within: limits.stateBytes
        ).inSession(session)
        if case .entries(_, _, let from, let items) = message {
            try check(items.count, within: limits.entriesPerMessage, "entries")
            if from == 0 || from > UInt64.max - UInt64(items.count) {
                throw SyncMessageError(.invalid, "There are no entries from version \(from) on.")
            }
        }
        if case .changes(_, _, let from?, let version, _, _) = message, from > version {
            throw SyncMessageError(
                .invalid, "Nothing changes from version \(from) to \(version).")
        }
        return message
    }

    private func check(
        _ count: Int, within limit: Int, _ what: String
    ) throws(SyncMessageError) {
        guard count <= limit else {
            throw SyncMessageError(
                .tooLarge, "A message has \(count) \(what); at most \(limit) are read.")
        }
    }

    private func write(
        _ message: some Encodable, within bytes: Int
    ) throws(SyncMessageError) -> [UInt8] {
        do {
            return try DataFormat.cbor.bytes(
                of: DataValue(encoding: message), within: dataLimits(bytes))
        } catch {
            throw SyncMessageError(.tooLarge, "A message can't be written: \(error)")
        }
    }

    private func read<Message: Decodable>(
        _ type: Message.Type, _ bytes: [UInt8], within limit: Int
    ) throws(SyncMessageError) -> Message {
        do {
            return try DataFormat.cbor.value(of: bytes, limits: dataLimits(limit)).decoded()
        } catch let error as DataError where error.code == .tooLarge || error.code == .tooDeep {
            throw SyncMessageError(.tooLarge, "A message is too large: \(error)")
        } catch {
            throw SyncMessageError(.malformed, "A message can't be read: \(error)")
        }
    }

    private func dataLimits(_ bytes: Int) -> DataLimits {
        DataLimits(bytes: bytes, depth: 16, elements: 200_000)
    }
}
