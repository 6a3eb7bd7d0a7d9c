// SPDX-License-Identifier: MIT

package import OnwardNavigation

/// The questions that there are.
package enum Questions {
    /// All of them, as agents and commands list them.
    package static let all: [any LogQuestion.Type] = [
        EntriesQuestion.self, EntryQuestion.self, StateQuestion.self, WholeStateQuestion.self,
        StateTextQuestion.self, FindQuestion.self, DiffQuestion.self, WhoQuestion.self,
        TestQuestion.self, ShortestTestQuestion.self, ActionsQuestion.self, ActivityQuestion.self,
        EffectsQuestion.self, RoutesQuestion.self, PagesQuestion.self, PageBlocksQuestion.self,
        SummaryQuestion.self,
    ]

    /// Of two at one path, the one with a mark in its query is meant if the mark is there.
    private static let markedFirst =
        all.filter { $0.address.contains("?") } + all.filter { !$0.address.contains("?") }

    /// The question at an address after the name of a store; nil if there is none.
    ///
    /// - Throws: ``InspectorError``, naming the field that can't be read.
    package static func question(
        at location: RouteLocation
    ) throws(InspectorError) -> (any LogQuestion)? {
        for type in markedFirst {
            if let question = try type.read(location) { return question }
        }
        return nil
    }
}
