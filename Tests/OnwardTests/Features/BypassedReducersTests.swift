// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import TestSupport

@Suite struct BypassedReducersTests {
    enum FormAction: Action { case save }

    struct Form: Equatable, Sendable { var saves = 0 }

    struct Page: Equatable, Sendable, Identifiable {
        let id: Int
        var form = Form()
        var other = Form()
        var pages: [Page] = []
        var saves = 0
    }

    static let form = Feature<Form> {
        Reduce { (form, _: FormAction) in form.saves += 1 }
    }

    static let page = Feature<Page> {
        Reduce { (page, _: FormAction) in page.saves += 1 }
    }

    private let mistakes = Mistakes()

    private func makeStore(
        @FeatureBuilder<Page> _ parts: () -> [any Part<Page>]
    ) -> Store<Page> {
        Store(Page(id: 0, pages: [Page(id: 1), Page(id: 2)]), options: mistakes.options(), parts)
    }

    @Test
    func `an action for a child that bypasses its parent's reducer is reported, once`() {
        let store = makeStore {
            Scope(\.form, Self.form)
            Scope(\.other, Self.form)
            Self.page
        }
        let form = store.scoped(to: \.form)
        #expect(form.dispatch(FormAction.save, file: "App.swift", line: 7) == .accepted(1))
        form.dispatch(FormAction.save)
        store.scoped(to: \.other).dispatch(FormAction.save)
        #expect(mistakes.kinds == [.passedReducer])
        #expect(
            mistakes.all.first?.description == """
                BypassedReducersTests.FormAction/save was dispatched to "form" at App.swift:7 and handled \
                there. The Reduce or OnAction of BypassedReducersTests.FormAction at the root of the \
                store did not run, and has not run before: what is addressed to a child does not reach those \
                around it. To fix this, make a Reduce there a Reduce(child:), which runs \
                after the child's reducers in the same commit; for an OnAction have the child \
                report with `to: .parent`, and answer to that report. If the action was meant for the \
                child alone, nothing is wrong: this is said only once, and not at all where the \
                parent has a Reduce(child:) of the type.
                """)
        #expect(store.state.saves == 0)
    }

    @Test
    func `an action for a child that bypasses its parent's OnAction is reported, too`() {
        let store = makeStore {
            Scope(\.form, Self.form)
            OnAction { (_: FormAction, _) in .none }
        }
        store.dispatch(FormAction.save)
        #expect(mistakes.kinds == [])
        let late = makeStore {
            Scope(\.form, Self.form)
            OnAction { (_: Page, _: FormAction, _) in .none }
        }
        late.scoped(to: \.form).dispatch(FormAction.save)
        late.scoped(to: \.form).dispatch(FormAction.save)
        #expect(mistakes.kinds == [.passedReducer])
        store.scoped(to: \.form).dispatch(FormAction.save)
        #expect(mistakes.kinds == [.passedReducer])
    }

    @Test
    func `a parent in a row is named, and an effect's dispatch is notified of as well`() async {
        struct Ask: Action {}
        let asking = Feature<Form> {
            Self.form
            OnAction { (_: Ask, _) in .dispatch(FormAction.save) }
        }
        let store = makeStore {
            Scope(
                each: \.pages,
                Feature<Page> {
                    Self.page
                    Scope(\.form, asking)
                })
        }
        if let address = Address("pages/#2/form") { store.dispatch(Ask(), to: address) }
        await store.waitUntilIdle()
        #expect(mistakes.kinds == [.passedReducer])
        #expect(mistakes.all.first?.description.contains("at \"pages/#\" did not run") == true)
        #expect(mistakes.all.first?.description.contains("a Reduce(child:), which") == true)
    }

    @Test
    func `the parent of a row is advised to reduce each of its rows`() {
        struct Row: Identifiable, Sendable { let id: Int }
        struct List: Sendable { var rows = [Row(id: 1)], saves = 0 }
        let store = Store(List(), options: mistakes.options()) {
            Reduce { (list: inout List, _: FormAction) in list.saves += 1 }
            Scope(each: \.rows, Feature<Row> { Reduce { (_, _: FormAction) in } })
        }
        store.scoped(to: .row(\.rows, id: 1)).dispatch(FormAction.save)
        #expect(mistakes.all.first?.description.contains("a Reduce(each:), which") == true)
    }

    @Test
    func `a parent whose reducer ran is sent such actions, and none is reported`() {
        let store = makeStore {
            Scope(\.form, Self.form)
            Self.page
        }
        store.dispatch(FormAction.save)
        store.scoped(to: \.form).dispatch(FormAction.save)
        #expect(mistakes.all.isEmpty)
    }

    @Test
    func `a parent that handles the type of its child knows what it does`() {
        let store = makeStore {
            Scope(\.form, Self.form)
            Self.page
            Reduce(child: \.form) { (page: inout Page, _: FormAction) in page.saves += 10 }
        }
        store.scoped(to: \.form).dispatch(FormAction.save)
        #expect(store.state.saves == 10)
        #expect(mistakes.all.isEmpty)
    }

    @Test
    func `a feature inside itself is no parent of another`() throws {
        let store = makeStore {
            Self.page
            Scope(
                each: \.pages,
                Feature<Page> {
                    Self.page
                    Scope(each: \.pages, Self.page)
                })
        }
        store.scoped(to: .row(\.pages, id: 1)).dispatch(FormAction.save)
        #expect(mistakes.all.isEmpty)
    }

    @Test
    func `a type that more than a parent and one feature handle is shared`() {
        struct App: Sendable {
            var page = Page(id: 0)
            var form = Form()
            var saves = 0
        }
        let store = Store(App(), options: mistakes.options()) {
            Reduce { (app: inout App, _: FormAction) in app.saves += 1 }
            Scope(\.page, Self.page)
            Scope(\.form, Self.form)
        }
        store.scoped(to: \.form).dispatch(FormAction.save)
        #expect(mistakes.all.isEmpty)
    }

    @Test
    func `siblings and a Reduce.everyAction are not bypassed`() {
        let store = makeStore {
            Scope(\.form, Self.form)
            Scope(each: \.pages, Self.page)
            Reduce.everyAction { (page: inout Page, _) in page.saves += 1 }
        }
        store.scoped(to: \.form).dispatch(FormAction.save)
        store.scoped(to: .row(\.pages, id: 1)).dispatch(FormAction.save)
        #expect(mistakes.all.isEmpty)
    }
}
