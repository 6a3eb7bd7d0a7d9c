// SPDX-License-Identifier: MIT

/// The questions that there are.
package enum Questions {
    /// All of them; of two at one address, first the one that asks for more.
    package static let all: [any LogQuestion.Type] = [
        EntriesQuestion.self, EntryQuestion.self, WholeStateQuestion.self, StateTextQuestion.self,
        FindQuestion.self, StateQuestion.self, DiffQuestion.self, WhoQuestion.self,
        ShortestTestQuestion.self, TestQuestion.self, ActionsQuestion.self, ActivityQuestion.self,
        EffectsQuestion.self, RoutesQuestion.self, PagesQuestion.self, PageBlocksQuestion.self,
        SummaryQuestion.self,
    ]
}
