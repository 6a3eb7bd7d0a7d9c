// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// What one node sends to another at a time: messages about stores, as bytes.
struct Envelope: Sendable, Hashable {
    /// The format version, changed whenever nodes can no longer read one another.
    static let format = 3

    /// A message about a store.
    struct Letter: Sendable, Hashable {
        let store: String
        let message: Message
    }

    let sender: NodeID
    let letters: [Letter]

    /// The bytes of letters that are already encoded as values.
    static func bytes(of letters: [DataValue], from sender: NodeID) -> [UInt8] {
        DataFormat.cbor.bytes(
            of: [
                "format": DataValue(format), "from": .text(sender.name), "letters": .list(letters),
            ])
    }

    /// Decodes what another node, or anyone else, has sent; nil for any other format.
    ///
    /// Letters that can't be read are left out.
    init?(_ bytes: [UInt8]) {
        guard let value = try? DataFormat.cbor.value(of: bytes),
            value["format"]?.integer(as: Int.self) == Self.format,
            let sender = value["from"]?.text, let letters = value["letters"]?.list
        else { return nil }
        self.sender = NodeID(sender)
        self.letters = letters.compactMap { Letter($0) }
    }
}

extension Envelope.Letter {
    var value: DataValue {
        var value = message.value
        value["store"] = .text(store)
        return value
    }

    init?(_ value: DataValue) {
        guard let store = value["store"]?.text, let message = Message(value) else { return nil }
        self.init(store: store, message: message)
    }
}

extension Message {
    fileprivate var value: DataValue {
        switch self {
        case .propose(let request): ["propose": request.value]
        case .answer(let id, let outcome):
            ["answer": .text(id.description), "outcome": outcome.value]
        case .acknowledged(let position, let entries, let before):
            [
                "acknowledged": position.value, "entries": .list(entries.map(\.value)),
                "after": before.value,
            ]
        case .ask: ["ask": true]
        }
    }

    fileprivate init?(_ value: DataValue) {
        if let request = value["propose"].flatMap({ Request($0) }) {
            self = .propose(request)
        } else if let id = value["answer"]?.text.flatMap({ EntryID($0) }),
            let outcome = value["outcome"].flatMap({ ProposalOutcome($0) })
        {
            self = .answer(id, outcome)
        } else if let position = value["acknowledged"].flatMap({ JournalPosition($0) }),
            let entries = value["entries"]?.list,
            let before = value["after"].flatMap({ JournalPosition($0) })
        {
            let read = entries.compactMap { JournalEntry($0) }
            // If some are missing, the others are of no use.
            self = .acknowledged(
                position, entries: read.count == entries.count ? read : [], after: before)
        } else if value["ask"] != nil {
            self = .ask
        } else {
            return nil
        }
    }
}

extension JournalPosition {
    fileprivate var value: DataValue {
        ["version": DataValue(version), "id": .text(id.description)]
    }

    fileprivate init?(_ value: DataValue) {
        guard let version = value["version"]?.integer(as: CommitVersion.self),
            let id = value["id"]?.text.flatMap({ EntryID($0) })
        else { return nil }
        self.init(version: version, id: id)
    }
}

extension Request {
    fileprivate var value: DataValue {
        [
            "id": .text(id.description), "base": DataValue(base),
            "epoch": epoch.map { DataValue($0) } ?? .null,
            "unchanged": unchangedSince.map { DataValue($0) } ?? .null,
            "action": action.value,
        ]
    }

    fileprivate init?(_ value: DataValue) {
        guard let id = value["id"]?.text.flatMap({ EntryID($0) }),
            let base = value["base"]?.integer(as: CommitVersion.self), let epoch = value["epoch"],
            epoch == .null || epoch.integer(as: UInt64.self) != nil,
            let unchanged = value["unchanged"],
            unchanged == .null || unchanged.integer(as: CommitVersion.self) != nil,
            let action = value["action"].flatMap({ ActionDraft($0) })
        else { return nil }
        self.init(
            id: id, base: base, epoch: epoch.integer(as: UInt64.self),
            unchangedSince: unchanged.integer(as: CommitVersion.self),
            action: action)
    }
}

extension ProposalOutcome {
    fileprivate var value: DataValue {
        switch self {
        case .accepted(let version): ["accepted": DataValue(version)]
        case .refused(.foreign(let features)): ["foreign": DataValue(features.rawValue)]
        case .refused(.outdated(let version)): ["outdated": DataValue(version)]
        case .refused(.failedCheck(let failure)): ["failed": failure.message]
        case .withheld: .text("withheld")
        case .unanswered: .text("unanswered")
        case .refused(.expired): .text("expired")
        case .refused(.forgotten): .text("forgotten")
        case .refused(.overloaded): .text("overloaded")
        case .refused(.unreadable): .text("unreadable")
        case .refused(.stopped): .text("stopped")
        }
    }

    fileprivate init?(_ value: DataValue) {
        if let version = value["accepted"]?.integer(as: CommitVersion.self) {
            self = .accepted(version)
        } else if let version = value["outdated"]?.integer(as: CommitVersion.self) {
            self = .refused(.outdated(version))
        } else if let features = value["foreign"]?.integer(as: UInt64.self) {
            self = .refused(.foreign(FeatureFingerprint(rawValue: features)))
        } else if let failure = value["failed"] {
            guard let failure = FailedProposal(failure) else { return nil }
            self = .refused(.failedCheck(failure))
        } else {
            switch value.text {
            case "withheld": self = .withheld
            case "unanswered": self = .unanswered
            case "expired": self = .refused(.expired)
            case "forgotten": self = .refused(.forgotten)
            case "overloaded": self = .refused(.overloaded)
            case "unreadable": self = .refused(.unreadable)
            case "stopped": self = .refused(.stopped)
            default: return nil
            }
        }
    }
}
