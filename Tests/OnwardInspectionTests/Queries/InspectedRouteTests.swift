// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardNavigation
import Testing

@testable import OnwardInspection

/// Where the user was, entry by entry.
struct InspectedRouteTests {
    private enum Screen: Equatable, Sendable { case menu, album(Int), editor }

    private struct Session: Sendable {
        var routes = RouteStack<Screen>(.menu)
    }

    private struct Document: Identifiable, Sendable {
        var id: Int
        var routes = RouteStack<Screen>(.menu)
    }

    private struct App: Sendable {
        var documents: EntityTable<Document> = []
        var panels: [String: RouteStack<Screen>] = [:]
        var session: Session? = Session()
        var tabs = RouteTabs<Screen>()
        var names = ["a", "b"]
        var count = 0
    }

    private struct Count: Action {}
    private struct LogOut: Action {}
    private struct Open: Action { var id: Int }
    private struct Edit: Action { var id: Int }
    private struct Move: Action {}
    private struct Unfold: Action { var panel: String }

    private func steps(_ actions: [any Action], _ query: EntryQuery = EntryQuery()) -> EntryPage {
        let store = Store(App()) {
            Reduce { (app: inout App, _: Count) in app.count += 1 }
            Reduce { (app: inout App, _: LogOut) in app.session = nil }
            Reduce { (app: inout App, open: Open) in app.documents.append(Document(id: open.id)) }
            Reduce { (app: inout App, edit: Edit) in
                app.documents.update(id: edit.id) { $0.routes = RouteStack(.editor) }
            }
            Reduce { (app: inout App, _: Move) in app.documents.move(id: 8, to: 0) }
            Reduce { (app: inout App, unfold: Unfold) in
                app.panels[unfold.panel] = RouteStack(.menu)
            }
            Scope(\.session, Feature { Scope(\.routes, Navigation<Screen>()) })
            Scope(\.tabs, TabNavigation<Screen>())
        }
        let history = History(of: store)
        for action in actions { store.dispatch(action) }
        return InspectedHistory(history.log, ActionCodec(for: store.log.actions)).routes(query)
    }

    @Test func `only entries are listed that changed the route, with what it was and became`() {
        let page = steps([
            Count(), NavigationAction.push(Screen.album(7)), Count(),
            NavigationAction.present(Screen.editor), LogOut(),
        ])
        #expect(page.entries.map(\.id) == [2, 4, 5])
        #expect(Set(page.entries.map { $0.change?.path }) == ["session.routes"])
        #expect(page.entries[0].change?.old == "menu")
        #expect(page.entries[0].change?.new == "menu › album(7)")
        #expect(page.entries[1].change?.new == "menu › album(7) + sheet: editor")
        #expect(page.entries[2].change?.kind == .removed)
    }

    @Test func `each tab is named`() {
        let page = steps([
            TabAction.open("left", at: RouteStack(Screen.menu)),
            TabAction.open("right", at: RouteStack(Screen.editor)),
        ])
        #expect(page.entries.map { $0.change?.path } == ["tabs.left", "tabs.right"])
        #expect(page.entries.map { $0.change?.new } == ["menu", "editor"])
        #expect(page.entries.map { $0.change?.kind } == [.added, .added])
    }

    @Test func `a row is named by its id, wherever it stands, and a value by its key`() {
        let page = steps([Open(id: 7), Open(id: 8), Move(), Edit(id: 8), Unfold(panel: "left")])
        #expect(page.entries.map(\.id) == [1, 2, 4, 5])
        #expect(
            page.entries.map { $0.change?.path } == [
                "documents.7.routes", "documents.8.routes", "documents.8.routes", "panels.left",
            ])
        #expect(page.entries[2].change?.old == "menu" && page.entries[2].change?.new == "editor")
    }

    @Test func `of a large collection the first elements are looked through`() {
        let page = steps((0..<40).map { Open(id: $0) })
        #expect(page.entries.map(\.id) == Array(1...32))
    }

    @Test func `a page goes on where the last one ended`() {
        let actions = (0..<5).map { NavigationAction.push(Screen.album($0)) as any Action }
        var query = EntryQuery()
        query.limit = 2
        let newest = steps(actions, query)
        #expect(newest.entries.map(\.id) == [4, 5])
        query.start = .before(newest.earlier ?? 0)
        #expect(steps(actions, query).entries.map(\.id) == [2, 3])
    }
}
