// SPDX-License-Identifier: MIT
#if Testing

import Onward
import OnwardTesting
import Testing

// What stands between the comments is shown in Documentation/Cook/Lists.md.
struct ListRecipes {
    @Test func `only what was typed last is searched for, once the typing pauses`() async {
        // recipe: search-as-you-type
        struct Search: Equatable, Sendable { var text = "", books: [String] = [] }
        enum SearchAction: Action, Equatable { case typed(String), found([String]) }

        func search(
            _ books: @escaping @Sendable (String) async throws -> [String]
        ) -> Feature<Search> {
            Feature {
                // shown as: Reduce { … }  // keeps the text, and the books that were found
                Reduce { (search, action: SearchAction) in
                    switch action {
                    case .typed(let text): search.text = text
                    case .found(let books): search.books = books
                    }
                }
                // to here
                OnAction { (action: SearchAction, context) in
                    guard case .typed(let text) = action else { return .none }
                    return .run(id: "search", .latest) {
                        context.dispatch(SearchAction.found(try await books(text)))
                    }
                    .debounce(for: .milliseconds(300))
                }
            }
        }
        // end
        let store = TestStore(Search()) { search { ["About \($0)"] } }
        await store.dispatch(SearchAction.typed("s")) { $0.text = "s" }
        await store.advance(by: .milliseconds(299))
        await store.dispatch(SearchAction.typed("sw")) { $0.text = "sw" }
        await store.advance(by: .milliseconds(300))
        await store.receive(SearchAction.found(["About sw"])) { $0.books = ["About sw"] }
        await store.finish()
    }

    @Test func `the next page is asked for once, and none behind the last`() async {
        // recipe: paging
        struct Page: Equatable, Sendable { var rows: [Int], next: String? }
        struct Feed: Equatable, Sendable {
            var rows: [Int] = []
            var next: String? = "first"  // nil behind the last page
            var isLoading = false
            var wanted: String? { isLoading ? next : nil }
        }
        enum FeedAction: Action, Equatable { case reachedEnd, loaded([Int], next: String?), failed }

        func feed(_ page: @escaping @Sendable (String) async throws -> Page) -> Feature<Feed> {
            Feature {
                Reduce { (feed, action: FeedAction) in
                    switch action {
                    case .reachedEnd: feed.isLoading = feed.next != nil
                    case .loaded(let rows, let next):
                        feed.rows += rows
                        (feed.next, feed.isLoading) = (next, false)
                    case .failed: feed.isLoading = false
                    }
                }
                While(\.wanted) { next, context in
                    let page = try await page(next)
                    context.dispatch(FeedAction.loaded(page.rows, next: page.next))
                } catching: { _, _, context in
                    context.dispatch(FeedAction.failed)
                }
            }
        }
        // end
        let store = TestStore(Feed()) {
            feed {
                $0 == "first" ? Page(rows: [1, 2], next: "second") : Page(rows: [3], next: nil)
            }
        }
        await store.dispatch(inSuccession: [FeedAction.reachedEnd, .reachedEnd]) {
            $0.isLoading = true
        }
        await store.receive(FeedAction.loaded([1, 2], next: "second")) {
            ($0.rows, $0.next, $0.isLoading) = ([1, 2], "second", false)
        }
        await store.dispatch(FeedAction.reachedEnd) { $0.isLoading = true }
        await store.receive(FeedAction.loaded([3], next: nil)) {
            ($0.rows, $0.next, $0.isLoading) = ([1, 2, 3], nil, false)
        }
        await store.dispatch(FeedAction.reachedEnd)
        await store.finish()
    }

    @Test func `a list that is filtered and sorted follows its rows and its settings`() {
        // recipe: filter-and-sort
        struct Todo: Equatable, Sendable, Identifiable {
            let id: Int; var title: String, isDone = false
        }
        struct Todos: Equatable, Sendable { var all: EntityTable<Todo> = [], showsDone = false }
        // shown as:
        enum TodosAction: Action { case add(Todo), toggle(Int), showDone(Bool) }
        // to here

        // shown as:
        let todos = Feature<Todos> {
            Reduce { (todos, action: TodosAction) in
                switch action {
                case .add(let todo): todos.all.append(todo)
                case .toggle(let id): todos.all[id: id]?.isDone.toggle()
                case .showDone(let shows): todos.showsDone = shows
                }
            }
        }
        // to here
        let shown = StateSelector<Todos, EntityTable<Todo>>(\.all)
            .filter(with: \.showsDone) { todo, showsDone in showsDone || !todo.isDone }
            .sorted { $0.title < $1.title }
        // end
        let store = Store(Todos()) { todos }
        store.dispatch(TodosAction.add(Todo(id: 1, title: "Wash")))
        store.dispatch(TodosAction.add(Todo(id: 2, title: "Bake")))
        #expect(store.value(of: .selector(shown)).map(\.title) == ["Bake", "Wash"])
        store.dispatch(TodosAction.toggle(2))
        #expect(store.value(of: .selector(shown)).map(\.title) == ["Wash"])
        store.dispatch(TodosAction.showDone(true))
        #expect(store.value(of: .selector(shown)).map(\.title) == ["Bake", "Wash"])
    }

    @Test func `sums by category follow what changed`() {
        // recipe: totals
        struct Expense: Equatable, Sendable, Identifiable {
            let id: Int; var category: String, amount: Int
        }
        struct Ledger: Equatable, Sendable { var expenses: EntityTable<Expense> = [] }
        // shown as:
        enum LedgerAction: Action { case spent(Expense), corrected(Int, amount: Int) }
        // to here

        let expenses = StateSelector<Ledger, EntityTable<Expense>>(\.expenses)
        let total = expenses.sum { $0.amount }
        let byCategory = expenses.grouped { $0.category }.sum { $0.amount }

        // shown as:
        let ledger = Feature<Ledger> {
            Reduce { (ledger, action: LedgerAction) in
                switch action {
                case .spent(let expense): ledger.expenses.append(expense)
                case .corrected(let id, let amount): ledger.expenses[id: id]?.amount = amount
                }
            }
        }
        // to here
        // end
        let store = Store(Ledger()) { ledger }
        store.dispatch(LedgerAction.spent(Expense(id: 1, category: "food", amount: 10)))
        store.dispatch(LedgerAction.spent(Expense(id: 2, category: "rent", amount: 500)))
        store.dispatch(LedgerAction.corrected(1, amount: 12))
        #expect(store.value(of: .selector(total)) == 512)
        #expect(store.value(of: .selector(byCategory))["food"] == 12)
    }

    @Test func `rows that go are no longer selected`() {
        // recipe: selecting-rows
        struct Photo: Equatable, Sendable, Identifiable { let id: Int }
        struct Album: Equatable, Sendable {
            var photos: EntityTable<Photo> = [], chosen: Set<Int> = []
        }
        enum AlbumAction: Action { case tapped(Int), removeChosen, removed(Int) }

        let album = Feature<Album> {
            Reduce { (album, action: AlbumAction) in
                switch action {
                case .tapped(let id): if album.chosen.remove(id) == nil { album.chosen.insert(id) }
                case .removeChosen: for id in album.chosen { album.photos.remove(id: id) }
                case .removed(let id): album.photos.remove(id: id)
                }
                album.chosen = album.chosen.filter { album.photos[id: $0] != nil }
            }
        }
        // end
        let store = Store(Album(photos: [Photo(id: 1), Photo(id: 2), Photo(id: 3)])) { album }
        for id in [1, 2, 3, 3] { store.dispatch(AlbumAction.tapped(id)) }
        #expect(store.state.chosen == [1, 2])
        store.dispatch(AlbumAction.removed(1))
        #expect(store.state.chosen == [2])
        store.dispatch(AlbumAction.removeChosen)
        #expect(store.state.photos.map(\.id) == [3])
        #expect(store.state.chosen.isEmpty)
    }

    @Test func `a row that is dragged lands where it was dropped, whatever changed meanwhile`() {
        // recipe: drag-and-drop
        struct Card: Equatable, Sendable, Identifiable { let id: String }
        struct Board: Equatable, Sendable { var cards: EntityTable<Card> = [] }
        enum BoardAction: Action { case drop(String, before: String?), archive(String) }

        let board = Feature<Board> {
            Reduce { (board, action: BoardAction) in
                switch action {
                case .drop(let id, let next):
                    guard let card = board.cards.remove(id: id) else { return }
                    let end = board.cards.count
                    board.cards.insert(card, at: next.flatMap { board.cards.index(id: $0) } ?? end)
                case .archive(let id): board.cards.remove(id: id)
                }
            }
        }
        // end
        let store = Store(
            Board(cards: ["a", "b", "c"].reduce(into: []) { $0.append(Card(id: $1)) })
        ) { board }
        store.dispatch(BoardAction.drop("c", before: "a"))
        #expect(store.state.cards.map(\.id) == ["c", "a", "b"])
        store.dispatch(BoardAction.archive("a"))
        store.dispatch(BoardAction.drop("c", before: "a"))
        #expect(store.state.cards.map(\.id) == ["b", "c"])
    }

    @Test func `each row has a state, actions and effects of its own`() async {
        // recipe: rows-with-features
        struct Download: Equatable, Sendable, Identifiable {
            let id: Int; var isRunning = false, percent = 0
        }
        struct Downloads: Equatable, Sendable { var rows: EntityTable<Download> = [] }
        enum DownloadAction: Action, Equatable { case start, progress(Int), remove }

        func download(
            _ progress: @escaping @Sendable (Int) -> AsyncStream<Int>
        ) -> Feature<Download> {
            Feature {
                // shown as: Reduce { … }  // notes that it runs, and how far it is
                Reduce { (row, action: DownloadAction) in
                    switch action {
                    case .start: row.isRunning = true
                    case .progress(let percent):
                        (row.percent, row.isRunning) = (percent, percent < 100)
                    case .remove: break
                    }
                }
                // to here
                OnAction { (row, action: DownloadAction, context) in
                    guard action == .start else { return .none }
                    return .run { [id = row.id] in
                        for await percent in progress(id) {
                            context.dispatch(DownloadAction.progress(percent))
                        }
                    }
                }
            }
        }
        func downloads(
            _ progress: @escaping @Sendable (Int) -> AsyncStream<Int>
        ) -> Feature<Downloads> {
            Feature {
                Scope(each: \.rows, download(progress))
                Reduce(each: \.rows) { (list, id, action: DownloadAction) in
                    if action == .remove { list.rows.remove(id: id) }  // and its effect ends
                }
            }
        }
        // end
        let store = TestStore(Downloads(rows: [Download(id: 1), Download(id: 2)])) {
            downloads { id in
                AsyncStream { if id == 1 { for n in [50, 100] { $0.yield(n) }; $0.finish() } }
            }
        }
        await store.dispatch(DownloadAction.start, to: .row(\.rows, id: 1)) {
            $0.rows[id: 1]?.isRunning = true
        }
        await store.receive(DownloadAction.progress(50), at: .row(\.rows, id: 1)) {
            $0.rows[id: 1]?.percent = 50
        }
        await store.receive(DownloadAction.progress(100), at: .row(\.rows, id: 1)) {
            $0.rows[id: 1] = Download(id: 1, percent: 100)
        }
        await store.dispatch(DownloadAction.start, to: .row(\.rows, id: 2)) {
            $0.rows[id: 2]?.isRunning = true
        }
        await store.dispatch(DownloadAction.remove, to: .row(\.rows, id: 2)) {
            $0.rows.remove(id: 2)
        }
        await store.finish()
    }

    @Test func `a budget that is exceeded is warned of once, and the warning is taken back`() async
    {
        // recipe: budgets
        struct Expense: Equatable, Sendable, Identifiable { let id: Int; var euros: Int }
        struct Budget: Equatable, Sendable {
            var expenses: EntityTable<Expense> = [], limit = 100, warnings: [String] = []
        }
        enum BudgetAction: Action, Equatable { case spend(Expense), remove(Int), warn(String) }

        // Follows what changed: an expense costs the same among ten and among a million.
        let spent = StateSelector<Budget, EntityTable<Expense>>(\.expenses).sum { $0.euros }
        let isOver = StateSelector(spent, StateSelector(\.limit)) { spent, limit in spent > limit }

        let budget = Feature<Budget> {
            // shown as: Reduce { … }  // adds and removes expenses, keeps the warnings
            Reduce { (budget, action: BudgetAction) in
                switch action {
                case .spend(let expense): budget.expenses.append(expense)
                case .remove(let id): budget.expenses.remove(id: id)
                case .warn(let text): budget.warnings.append(text)
                }
            }
            // to here
            OnChange(of: .selector(isOver)) { _, isOver, _ in
                .dispatch(BudgetAction.warn(isOver ? "Over budget." : "Within the budget again."))
            }
        }
        // end
        let store = Store(Budget()) { budget }
        for (id, euros) in [60, 30, 20, 20].enumerated() {
            store.dispatch(BudgetAction.spend(Expense(id: id, euros: euros)))
            await store.waitUntilIdle()
        }
        #expect(store.state.warnings == ["Over budget."])
        store.dispatch(BudgetAction.remove(0))
        await store.waitUntilIdle()
        #expect(store.state.warnings == ["Over budget.", "Within the budget again."])
    }
}
#endif
