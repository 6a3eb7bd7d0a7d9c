// SPDX-License-Identifier: MIT

import OnwardInspector

/// Which weapons are counted.
private struct Asked: Codable, Sendable {
    /// A text that their names have; empty for all.
    var name = ""
}

extension InspectorPage {
    /// How often each weapon was chosen, the last time with a link to the entry.
    static let weapons = InspectorPage("weapons", title: "Weapons", asking: Asked()) {
        asked, context in
        var query = EntryQuery()
        query.types = ["GameAction/choose"]
        var counts: [String: (count: Int, last: Int)] = [:]
        for line in context.log.entries(query).entries {
            let parts = context.log.entry(line.id)?.payload.parts ?? []
            guard let weapon = parts.first(where: { $0.step == "weapon" })?.text else { continue }
            let name = weapon.filter { $0 != "\"" }
            counts[name] = ((counts[name]?.count ?? 0) + 1, line.id)
        }
        let rows = counts.filter { asked.name.isEmpty || $0.key.contains(asked.name) }
            .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        return [
            .table(
                ["Weapon", "Chosen", "Last by entry"],
                rows.map { name, value in
                    [
                        PageCell(name), "\(value.count)",
                        PageCell("\(value.last)", link: .entry(value.last)),
                    ]
                }), .note(rows.isEmpty ? "None was chosen." : "Of the last 100 choices."),
        ]
    }
}
