// SPDX-License-Identifier: MIT
#if All

internal import Onward
internal import OnwardJournal

extension InspectorQuery {
    /// The form of the answer, as a JSON Schema.
    ///
    /// It names the fields that are always there. An answer may have more, and so may its parts.
    var answerSchema: DataValue {
        switch self {
        case .stores:
            return Self.object([
                "stores": Self.list(
                    Self.object([
                        "name": Self.text, "log": Self.summary, "actions": Self.list(Self.text),
                    ]))
            ])
        case .entries, .whoChanged, .routes:
            return Self.object(
                ["entries": Self.list(Self.entryLine), "examined": Self.integer],
                optional: ["earlier": Self.integer, "later": Self.integer])
        case .entry:
            return Self.object(
                ["line": Self.entryLine, "payload": Self.node, "isReflected": Self.truth],
                optional: ["version": Self.integer])
        case .state:
            return Self.object(Self.nodeFields, optional: ["moment": Self.integer])
        case .findInState: return Self.object(["found": Self.list(Self.node)])
        case .diff:
            return Self.object([
                "changes": Self.list(
                    Self.object([
                        "path": Self.text, "kind": Self.text, "old": Self.text, "new": Self.text,
                    ]))
            ])
        case .testSource:
            return Self.object(
                ["source": Self.text], optional: ["isShortest": Self.truth])
        case .actions:
            return Self.object([
                "actions": Self.list(
                    Self.object(["name": Self.text, "fields": Self.list(Self.anyObject)])),
                "names": Self.list(Self.text),
            ])
        case .activity:
            return Self.object([
                "costs": Self.list(Self.anyObject), "effects": Self.list(Self.anyObject),
                "effectCount": Self.integer, "subscribers": Self.list(Self.anyObject),
                "subscriberCount": Self.integer, "selectors": Self.list(Self.anyObject),
            ])
        case .effects:
            return Self.object(
                [
                    "start": Self.integer, "end": Self.integer,
                    "effects": Self.list(Self.anyObject), "omitted": Self.integer,
                    "sources": Self.list(Self.anyObject), "entries": Self.list(Self.anyObject),
                ], optional: ["earlier": Self.integer])
        case .makeTest:
            return Self.object(
                ["outcome": ["enum": ["red", "green", "no fault"]], "text": Self.text],
                optional: ["file": Self.text, "entries": Self.integer])
        case .dispatch, .jump: return Self.summary
        }
    }

    // MARK: Parts

    private static let text: DataValue = ["type": "string"]
    private static let integer: DataValue = ["type": "integer"]
    private static let truth: DataValue = ["type": "boolean"]
    private static let anyObject: DataValue = ["type": "object"]

    private static func list(_ element: DataValue) -> DataValue {
        ["type": "array", "items": element]
    }

    private static func object(
        _ fields: [String: DataValue], optional: [String: DataValue] = [:]
    ) -> DataValue {
        [
            "type": "object", "properties": .object(fields.merging(optional) { first, _ in first }),
            "required": .list(fields.keys.sorted().map { .text($0) }),
        ]
    }

    /// The length of a log, and what is shown.
    private static let summary = object([
        "count": integer, "cursor": integer, "shownID": integer, "newestID": integer,
        "skipped": integer, "isLocked": truth, "isPaused": truth,
    ])

    /// An entry in one line.
    private static let entryLine = object([
        "id": integer, "moment": integer, "name": text, "preview": text, "time": integer,
        "file": text, "line": integer, "isSkipped": truth, "isAhead": truth,
    ])

    private static let nodeFields: [String: DataValue] = [
        "step": text, "path": text, "kind": text, "count": integer, "text": text,
        "first": integer, "parts": list(anyObject),
    ]

    /// A part of a value, with a little of what is below it.
    private static let node = object(nodeFields)
}
#endif
