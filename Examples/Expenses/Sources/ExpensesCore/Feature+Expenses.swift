// SPDX-License-Identifier: MIT

public import Onward
import OnwardJournal

/// What actions do to the state, without what goes on outside: enough to run a recorded session again.
public let expensesReducers = Feature<Expenses> {
    Undoable(\.ledger, stack: \.undo, limit: 50) {
        Reduce { (app, action: LedgerAction) in app.ledger.apply(action) }
    }
    .recording(LedgerAction.self) { action in
        if case .addSamples = action { .ignore } else { .step }
    }
    Reduce { (app, action: NoticeAction) in
        switch action {
        case .say(let text):
            app.notices &+= 1
            app.notice = Notice(number: app.notices, text: text)
        case .gone(let number): if app.notice?.number == number { app.notice = nil }
        }
    }
}

/// The app as a feature.
public let expenses = Feature<Expenses> {
    Checking()
    expensesReducers
    // What an action did is said once it is done.
    OnAction { (app, action: LedgerAction, _) in
        switch action {
        case .remove: .dispatch(NoticeAction.say("Removed. You can undo it."))
        case .addSamples(let count, _): .dispatch(NoticeAction.say("\(count) samples were added."))
        case .add, .change, .budget: .none
        }
    }
    // Whatever made a budget too small: an expense, a correction, a smaller budget, an undo.
    OnChange(of: .selector(exceeded)) { before, now, _ in
        let new = now.subtracting(before).map(\.name).sorted()
        guard !new.isEmpty else { return .none }
        return .dispatch(NoticeAction.say("Over budget: \(new.joined(separator: ", "))."))
    }
    While(\.notice?.number) { number, context in
        try await context.clock.sleep(for: .seconds(8))
        context.dispatch(NoticeAction.gone(number))
    }
}
