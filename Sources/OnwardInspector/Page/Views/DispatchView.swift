// SPDX-License-Identifier: MIT
#if Server

internal import OnwardInspection
internal import OnwardJournal

/// A form for actions: the fields of one, or JSON.
struct DispatchView: Equatable, Sendable {
    struct Action: Equatable, Sendable {
        let name: String
        let isChosen: Bool
    }
    struct Field: Equatable, Sendable {
        let name: String
        let label: String
        let value: String
        let isLine: Bool
        let isArea: Bool
        let hint: String
        let isChoice: Bool
        let choices: [Action]
    }

    let head: PaneHead
    let url: String
    let hidden: [HiddenField]
    let actions: [Action]
    let hasForms: Bool
    let chosen: String?
    let fields: [Field]
    let isBare: Bool
    let problem: String?
    let example: String
    let names: [String]

    init(_ head: PaneHead, _ view: InspectorView, _ seen: InspectorState.Seen) {
        let place = view.place
        let form = seen.actionForms.first { $0.name == place.action }
        self.head = head
        url = place.plain.url
        hidden = HiddenField.all(of: place, without: ["action"])
        actions = seen.actionForms.map { Action(name: $0.name, isChosen: $0.name == form?.name) }
        hasForms = !actions.isEmpty
        chosen = form?.name
        let known = form.map { Self.newest($0.name, in: seen.log) } ?? [:]
        fields = form?.fields.map { Field($0, known[$0.name]) } ?? []
        isBare = form?.fields.isEmpty ?? false
        problem = seen.problem
        // Usually one wants to repeat or vary the action that was dispatched last.
        let name = seen.actionNames.first ?? "Action"
        example = Self.example(of: seen.log) ?? #"{"type": "\#(name)/case"}"#
        names = seen.actionNames
    }

    private static func example(of log: any InspectedLog) -> String? {
        guard let last = log.entry(log.summary.newestID), !last.isReflected else { return nil }
        let fields = last.payload.parts.map { #", "\#($0.step)": \#($0.text)"# }
        let isFlat = last.payload.parts.allSatisfy { $0.kind == .value }
        return isFlat ? #"{"type": "\#(last.line.name)"\#(fields.joined())}"# : nil
    }

    /// What the newest action of a name carried.
    private static func newest(_ name: String, in log: any InspectedLog) -> [String: StateNode] {
        var query = EntryQuery()
        query.types = [name]
        query.limit = 1
        guard let line = log.entries(query).entries.last, let entry = log.entry(line.id) else {
            return [:]
        }
        return Dictionary(entry.payload.parts.map { ($0.step, $0) }) { first, _ in first }
    }
}

extension DispatchView.Field {
    fileprivate init(_ field: ActionForm.Field, _ known: StateNode?) {
        name = FillIn.mark + field.name
        label = field.name
        hint = field.kind.noun + (field.isOptional ? ", may be left out" : "")
        var value = known.flatMap { $0.kind == .value && $0.text != "null" ? $0.text : nil } ?? ""
        if let text = try? DataFormat.json.value(of: Array(value.utf8)).text { value = text }
        self.value = value
        isChoice = field.kind == .choice || field.kind == .truth
        let texts = field.kind == .truth ? ["true", "false"] : field.choices
        choices = texts.map { DispatchView.Action(name: $0, isChosen: $0 == value) }
        isArea = field.kind == .other
        isLine = !isChoice && !isArea
    }
}
#endif
