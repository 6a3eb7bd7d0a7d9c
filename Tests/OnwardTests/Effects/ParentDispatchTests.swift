// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import TestSupport

@Suite struct ParentDispatchTests {
    enum FormAction: Action { case save, saved }

    struct Form: Equatable, Sendable {
        var saves = 0
        var saved = 0
    }

    struct Sheet: Equatable, Sendable, Identifiable {
        let id: Int
        var form = Form()
        var said: [String] = []
    }

    struct App: Equatable, Sendable {
        var left = Form()
        var right = Form()
        var sheets: [Sheet] = [Sheet(id: 1), Sheet(id: 2)]
        var said: [String] = []
    }

    /// Saves, and notifies its parent.
    static let form = Feature<Form> {
        Reduce { (form, action: FormAction) in
            switch action {
            case .save: form.saves += 1
            case .saved: form.saved += 1
            }
        }
        OnAction { (action: FormAction, context) in
            guard case .save = action else { return .none }
            return .run { context.dispatch(FormAction.saved, to: .parent) }
        }
    }

    static let sheet = Feature<Sheet> {
        Scope(\.form, form)
        Reduce { (sheet, action: FormAction) in
            if case .saved = action { sheet.said.append("saved") }
        }
    }

    static let app = Feature<App> {
        Scope(\.left, form)
        Scope(\.right, form)
        Scope(each: \.sheets, sheet)
        Reduce { (app, action: FormAction) in
            if case .saved = action { app.said.append("saved") }
        }
    }

    private let mistakes = Mistakes()

    private func makeStore() -> Store<App> {
        Store(App(), options: mistakes.options()) { Self.app }
    }

    @Test
    func `an effect notifies the parent of its instance, and neither itself nor a sibling`() async {
        let store = makeStore()
        await store.scoped(to: \.left).run(FormAction.save)
        #expect(store.state.said == ["saved"])
        #expect(store.state.left == Form(saves: 1))
        #expect(store.state.right == Form())
        #expect(store.state.sheets == App().sheets)
    }

    @Test
    func `a row's parent is the feature that scopes the rows`() async throws {
        struct Report: Action {}
        let store = Store(App(), options: mistakes.options()) {
            Scope(
                each: \.sheets,
                Feature<Sheet> {
                    OnAction { (_: FormAction, _) in .dispatch(Report(), to: .parent) }
                    Reduce { (sheet, _: Report) in sheet.said.append("row") }
                })
            Reduce { (app, _: Report) in app.said.append("app") }
        }
        await store.scoped(to: .row(\.sheets, id: 2)).run(FormAction.save)
        #expect(store.state.said == ["app"])
        #expect(store.state.sheets == App().sheets)
        #expect(mistakes.all.isEmpty)
    }

    @Test
    func `a parent's parent handles what an effect dispatches to the parent`() async throws {
        let store = Store(App(), options: mistakes.options()) {
            Scope(each: \.sheets, Self.sheet)
            Reduce(each: \.sheets) { (app: inout App, id: Int, _: FormAction) in
                app.said.append("sheet \(id)")
            }
        }
        let form = try #require(Address("sheets/#2/form"))
        store.dispatch(FormAction.save, to: form)
        await store.waitUntilIdle()
        #expect(store.state.said == ["sheet 2"])
        #expect(store.state.sheets.map(\.said) == [[], ["saved"]])
        #expect(store.state.sheets.map(\.form) == [Form(), Form(saves: 1)])
    }

    @Test
    func `at the root there is no parent, and nothing is reported`() async {
        let results = Log<DispatchResult>()
        let store = Store(Form(), options: mistakes.options()) {
            Self.form
            OnAction { (action: FormAction, context) in
                .run { results.append(context.dispatch(FormAction.saved, to: .parent)) }
            }
        }
        await store.run(FormAction.save)
        #expect(results.all == [.refused(.absent)])
        #expect(store.state == Form(saves: 1))
        #expect(mistakes.all.isEmpty)
    }

    @Test
    func `the log and a replay know that it was for the parent alone`() async {
        let entries = Log<LogEntry>()
        let store = makeStore()
        let observer = store.log.attach(Observe<App> { entries.append($0.entry) })
        await store.scoped(to: \.left).run(FormAction.save)
        #expect(entries.all.map(\.address.description) == ["left", "."])
        #expect(store.log.replay(entries.all, from: App()) == store.state)
        observer.cancel()
    }

    @Test
    func `an address says as text that it is for the instance alone`() throws {
        for text in [".", "left/.", "sheets/#2/.", "%2E", "a.b", "sheets/#."] {
            let address = try #require(Address(text))
            #expect(address.description == text)
            #expect(Address(address.description) == address)
        }
        #expect(Address("./left") == nil)
        #expect(Address("left/./.") == nil)
        let store = makeStore()
        let alone = try #require(Address("sheets/#1/."))
        #expect(store.dispatch(FormAction.saved, to: alone) == .accepted(1))
        #expect(store.state.sheets.map(\.said) == [["saved"], []])
        #expect(store.state.sheets.map(\.form.saved) == [0, 0])
        let own = try #require(Address("."))
        #expect(store.scoped(to: \.left).dispatch(FormAction.saved, to: own) == .accepted(2))
        #expect(store.state.left.saved == 1)
    }
}
