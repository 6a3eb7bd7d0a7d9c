// SPDX-License-Identifier: MIT

public import Onward
internal import OnwardJournal

/// Why a server has refused what a client proposed.
public struct SyncRefusal: Sendable, Hashable, Codable {
    /// What kind of refusal it is.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// A check of the features has refused it: see ``SyncRefusal/reason(as:)``.
        case failedCheck
        /// The slice or the row that it was for is gone.
        case absent
        /// A middleware or a gate of the server let nothing through.
        case withheld
        /// A client may not send such an action there.
        case forbidden
        /// The server can't read the action, or has no reducer for it; or the client couldn't write it.
        case unreadable
        /// The action takes more than a message may, and was never sent: see ``SyncLimits/messageBytes``.
        case tooLarge
    }

    /// What kind of refusal it is.
    public let kind: Kind
    /// The name of the reason's type; empty unless a check has refused it.
    public let name: String
    /// What the person is told.
    public let sentence: String
    /// The reason's value in CBOR.
    private let value: [UInt8]

    /// A refusal without a reason of the features.
    package init(_ kind: Kind, _ sentence: String = "This can't be done now.") {
        (self.kind, self.sentence, name, value) = (kind, sentence, "", [])
    }

    /// The refusal by a check.
    package init(_ failure: CheckFailure) {
        func encode(_ reason: some RefusalReason) -> [UInt8] {
            (try? DataValue(encoding: reason)).map { DataFormat.cbor.bytes(of: $0) } ?? []
        }
        kind = .failedCheck
        name = type(of: failure.reason).reasonName
        sentence = failure.reason.sentence
        value = encode(failure.reason)
    }

    /// The check's reason, if it is one of this type.
    public func reason<Reason: RefusalReason>(as type: Reason.Type = Reason.self) -> Reason? {
        guard name == Reason.reasonName,
            let value = try? DataFormat.cbor.value(of: value, limits: DataLimits(bytes: 1 << 16))
        else { return nil }
        return try? value.decoded(as: Reason.self)
    }

    /// About how many bytes it takes in a message.
    var size: Int { name.utf8.count + sentence.utf8.count + value.count + 64 }
}
