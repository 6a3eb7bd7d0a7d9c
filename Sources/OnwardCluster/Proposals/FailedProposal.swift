// SPDX-License-Identifier: MIT

public import Onward
internal import OnwardJournal

/// The reason for which a check of a store's owner has refused a proposal.
///
/// It comes from a node that may have other types, so it is read when it is asked for.
public struct FailedProposal: Sendable, Hashable {
    /// The name of the reason's type.
    public let name: String
    /// What the person is told who proposed it.
    public let sentence: String
    private let value: DataValue

    /// The reason of a check; nil if it can't be encoded.
    init?(_ failure: CheckFailure) {
        func encode(_ reason: some RefusalReason) -> DataValue? { try? DataValue(encoding: reason) }
        guard let value = encode(failure.reason) else { return nil }
        name = type(of: failure.reason).reasonName
        sentence = failure.reason.sentence
        self.value = value
    }

    init?(_ value: DataValue) {
        guard let name = value["name"]?.text, let sentence = value["sentence"]?.text,
            let reason = value["reason"]
        else { return nil }
        (self.name, self.sentence, self.value) = (name, sentence, reason)
    }

    /// What is sent.
    var message: DataValue {
        ["name": .text(name), "sentence": .text(sentence), "reason": value]
    }

    /// The reason, if it is one of this type.
    public func reason<Reason: RefusalReason>(as type: Reason.Type = Reason.self) -> Reason? {
        guard name == Reason.reasonName else { return nil }
        return try? value.decoded(as: Reason.self)
    }
}
