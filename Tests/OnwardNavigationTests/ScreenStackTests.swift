// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardNavigation
import OnwardTesting
import Testing

@testable import TestSupport

/// A stack of routes whose screens have states and features of their own.
@Suite(.timeLimit(.minutes(5))) struct ScreenStackTests {
    enum Page: Hashable, Sendable, Codable { case menu, album(Int), search }

    struct Album: Hashable, Sendable, Codable {
        let id: Int
        var stars = 0
        var isPlaying = false
    }

    enum View: ScreenState, Hashable, Codable {
        case menu
        case album(Album)
        case search(String)

        init(at page: Page) {
            switch page {
            case .menu: self = .menu
            case .album(let id): self = .album(Album(id: id))
            case .search: self = .search("")
            }
        }

        var album: Album? {
            get { if case .album(let album) = self { album } else { nil } }
            set { if let newValue { self = .album(newValue) } }
        }

        var search: String? {
            get { if case .search(let text) = self { text } else { nil } }
            set { if let newValue { self = .search(newValue) } }
        }
    }

    enum AlbumAction: Action { case star, load, play, leave }
    struct Search: Action { var text: String }

    struct App: Equatable, Sendable { var screens = ScreenStack<View>(.menu) }

    private static let album = Feature<Album> {
        Reduce { (album, action: AlbumAction) in
            switch action {
            case .star: album.stars += 1
            case .play: album.isPlaying = true
            case .load, .leave: break
            }
        }
        OnAction { (action: AlbumAction, context) in
            guard case .leave = action else { return .none }
            return .dispatch(NavigationAction<Page>.pop, to: .root)
        }
    }

    private func makeApp(
        _ album: Feature<Album> = album, options: StoreOptions = StoreOptions()
    ) -> Store<App> {
        Store(App(), options: options) {
            Scope(\.screens.routes, name: "routes", Navigation<Page>(depthLimit: 4))
            Scope(each: \.screens) {
                Scope(\.state.album, name: "album", album)
                Scope(\.state.search, name: "search") {
                    Reduce { (text, action: Search) in text = action.text }
                }
            }
        }
    }

    private func go(_ action: NavigationAction<Page>, in store: Store<App>) {
        store.dispatch(action)
    }

    // MARK: Which screens there are

    @Test
    func `a screen begins with the state that its route gives it, and keeps it while it stays`() {
        let store = makeApp()
        go(.push(.album(7)), in: store)
        store.dispatch(AlbumAction.star)
        go(.push(.search), in: store)
        store.dispatch(Search(text: "Abba"))
        #expect(
            store.state.screens.map(\.state)
                == [.menu, .album(Album(id: 7, stars: 1)), .search("Abba")])
        go(.pop, in: store)
        #expect(store.state.screens.current.state == .album(Album(id: 7, stars: 1)))
        go(.popToRoot, in: store)
        go(.push(.album(7)), in: store)
        #expect(store.state.screens.current.state == .album(Album(id: 7)))
    }

    @Test
    func `two screens at one route are independent`() throws {
        let store = makeApp()
        go(.push(.album(7)), in: store)
        go(.push(.search), in: store)
        go(.push(.album(7)), in: store)
        let top = try #require(Address("screens/#3/album"))
        #expect(store.dispatch(AlbumAction.star, to: top) == .accepted(4))
        #expect(store.state.screens.map(\.state.album?.stars) == [nil, 0, nil, 1])
        store.dispatch(AlbumAction.star)
        #expect(store.state.screens.map(\.state.album?.stars) == [nil, 1, nil, 2])
    }

    @Test
    func `what comes after a pop is another screen, also at the same route`() throws {
        let store = makeApp()
        go(.push(.album(7)), in: store)
        go(.pop, in: store)
        go(.push(.album(7)), in: store)
        #expect(store.state.screens.map(\.id) == [0, 2])
        let first = try #require(Address("screens/#1/album"))
        #expect(store.dispatch(AlbumAction.star, to: first) == .refused(.absent))
    }

    @Test
    func `what is presented has a state, and stays when something below it goes`() {
        let store = makeApp()
        go(.present(.search, in: .sheet), in: store)
        go(.present(.album(7), in: .alert), in: store)
        store.dispatch(AlbumAction.star)
        go(.dismiss(.sheet), in: store)
        #expect(store.state.screens.map(\.state) == [.menu, .album(Album(id: 7, stars: 1))])
        #expect(store.state.screens.current.level == RouteLevel(.album(7), in: .alert))
    }

    @Test
    func `of several equal screens the topmost goes`() {
        var stack = ScreenStack<View>(.menu, .album(7), .album(7), .album(7))
        stack.routes.pop()
        #expect(stack.map(\.id) == [0, 1, 2])
    }

    @Test
    func `screens that are kept when the oldest are forgotten keep their states`() {
        let store = makeApp()
        for id in 1...3 { go(.push(.album(id)), in: store) }
        store.dispatch(AlbumAction.star)
        go(.push(.search), in: store)
        let (two, three) = (Album(id: 2, stars: 1), Album(id: 3, stars: 1))
        #expect(
            store.state.screens.map(\.state) == [.menu, .album(two), .album(three), .search("")])
    }

    @Test
    func `the routes are those that were set, whatever they were before`() {
        var generator = SeededGenerator(seed: 14)
        var stack = ScreenStack<View>(.menu)
        var used: Set<Int> = [0]
        for _ in 0..<scaled(2_000) {
            var routes = RouteStack(Page.album(.random(in: 0..<3, using: &generator)))
            for _ in 0..<Int.random(in: 0..<6, using: &generator) {
                routes.push(.album(.random(in: 0..<3, using: &generator)))
            }
            if Bool.random(using: &generator) { routes.present(.search, in: .sheet) }
            let before = stack
            stack.routes = routes
            #expect(stack.routes == routes)
            #expect(Set(stack.map(\.id)).count == stack.count)
            for screen in stack where !before.contains(where: { $0.id == screen.id }) {
                #expect(used.insert(screen.id).inserted, "an id came again")
            }
            let common = zip(before, stack).prefix { $0.level == $1.level }
            #expect(common.allSatisfy { $0 == $1 }, "what both begin with has changed")
            // Those that stay are in the same order.
            let stayed = stack.filter { screen in before.contains { $0.id == screen.id } }
            #expect(stayed.map(\.id) == before.map(\.id).filter(stayed.map(\.id).contains))
            #expect(stayed.allSatisfy { screen in before.contains { $0 == screen } })
        }
    }

    // MARK: Effects

    @Test
    func `effects of a screen end when it is popped, those of others go on`() async {
        let (barrier, results) = (Barrier(), Log<DispatchResult>())
        let album = Feature<Album> {
            Self.album
            OnAction { (action: AlbumAction, context) in
                guard case .load = action else { return .none }
                return .run {
                    await barrier.pass()
                    results.append(context.dispatch(AlbumAction.star))
                }
            }
        }
        let store = makeApp(album)
        go(.push(.album(7)), in: store)
        go(.push(.search), in: store)
        go(.push(.album(7)), in: store)
        store.dispatch(AlbumAction.load)
        await barrier.arrivals(2)
        #expect(
            store.diagnostics.runningEffects.map(\.address.description)
                == ["screens/#1/album", "screens/#3/album"])
        go(.pop, in: store)
        #expect(store.diagnostics.runningEffects.map(\.phase) == [.running, .cancelled])
        go(.push(.album(7)), in: store)
        barrier.open()
        await store.waitUntilIdle()
        #expect(store.state.screens.map(\.state.album?.stars) == [nil, 1, nil, 0])
        #expect(results.all.filter { $0 == .refused(.expired) }.count == 1)
    }

    @Test
    func `a While lives as long as its screen`() async throws {
        let clock = ManualClock()
        let album = Feature<Album> {
            Self.album
            While(\.isPlaying) { _, context in
                for await _ in context.clock.ticks(every: .seconds(1)) {
                    context.dispatch(AlbumAction.star)
                }
            }
        }
        let store = makeApp(album, options: StoreOptions(clock: clock))
        go(.push(.album(1)), in: store)
        go(.push(.album(2)), in: store)
        let first = try #require(Address("screens/#1/album"))
        store.dispatch(AlbumAction.play, to: first)
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        _ = try await store.wait { $0.screens.map(\.state.album?.stars) == [nil, 1, 0] }
        go(.pop, in: store)
        #expect(store.diagnostics.runningEffects.map(\.phase) == [.running])
        go(.pop, in: store)
        #expect(store.diagnostics.runningEffects.allSatisfy { $0.phase == .cancelled })
    }

    @Test
    func `a screen takes itself away by moving the stack`() async {
        let store = makeApp()
        go(.push(.album(7)), in: store)
        store.dispatch(AlbumAction.leave)
        await store.waitUntilIdle()
        #expect(store.state.screens.routes == RouteStack(.menu))
    }

    // MARK: Stores

    @Test
    func `a store of a screen shows its state until it goes`() throws {
        let store = makeApp()
        go(.push(.album(7)), in: store)
        let screen = try #require(store.scoped(to: .row(\.screens, id: 1)).unwrapped())
        let album = try #require(screen.scoped(to: \.state.album, name: "album").unwrapped())
        album.dispatch(AlbumAction.star)
        #expect(album.state.stars == 1)
        go(.pop, in: store)
        #expect(album.dispatch(AlbumAction.star) == .refused(.absent))
        #expect(album.state.stars == 1)
        #expect(store.scoped(to: .row(\.screens, id: 1)).unwrapped() == nil)
    }

    @Test
    func `a navigator shows the routes, and is not bothered by what changes on a screen`() async {
        struct Stage: NavigationDriver {
            let steps = Log<NavigationStep<RouteLevel<Page>>>()
            func perform(_ step: NavigationStep<RouteLevel<Page>>) async { steps.append(step) }
        }
        let (store, stage) = (makeApp(), Stage())
        let navigator = Navigator(showing: \.screens.routes, of: store, with: stage)
        await navigator.rest()
        go(.push(.album(7)), in: store)
        store.dispatch(AlbumAction.star)
        await navigator.rest()
        #expect(
            stage.steps.all
                == [.push(RouteLevel(.menu), at: 0), .push(RouteLevel(.album(7)), at: 1)])
    }

    // MARK: Coding

    @Test
    func `is read as it was written, and its ids go on`() throws {
        var stack = ScreenStack<View>(.menu, .album(7))
        stack.routes.pop()
        stack.routes.present(.search)
        _ = stack.update(id: 2) { $0.state = .search("Abba") }
        var copy = try JSONDecoder().decode(
            ScreenStack<View>.self, from: JSONEncoder().encode(stack))
        #expect(copy == stack)
        copy.routes.dismiss()
        copy.routes.push(.album(8))
        #expect(copy.map(\.id) == [0, 3])
    }

    @Test(arguments: [
        #"{"screens":[],"nextID":1}"#,
        #"{"screens":[S0,S0],"nextID":1}"#,
        #"{"screens":[S0,S1],"nextID":1}"#,
        #"{"screens":[S0],"nextID":9223372036854775807}"#,
        #"{"screens":[S-1],"nextID":1}"#,
        #"{"screens":[M0,S1],"nextID":2}"#,
    ])
    func `what is no stack is not read`(json: String) throws {
        var json = json
        for id in [-1, 0, 1] {
            let rest = #""state":{"menu":{}}}"#
            json = json.replacingOccurrences(
                of: "S\(id)", with: #"{"id":\#(id),"level":{"route":{"menu":{}}},"# + rest)
            json = json.replacingOccurrences(
                of: "M\(id)",
                with: #"{"id":\#(id),"level":{"route":{"menu":{}},"slot":"sheet"},"# + rest)
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ScreenStack<View>.self, from: Data(json.utf8))
        }
        let menu = #"{"id":0,"level":{"route":{"menu":{}}},"state":{"menu":{}}}"#
        let fine = #"{"screens":[\#(menu)],"nextID":1}"#
        #expect(
            try JSONDecoder().decode(ScreenStack<View>.self, from: Data(fine.utf8))
                == ScreenStack(.menu))
    }

    @Test
    func `a screen closes itself, also when another one has come to lie over it`() async throws {
        let album = Feature<Album> {
            OnAction { (action: AlbumAction, context) in
                if case .leave = action { .dismiss() } else { .none }
            }
        }
        let store = Store(App()) {
            Scope(\.screens.routes, name: "routes", Navigation<Page>())
            Scope(each: \.screens) { Scope(\.state.album, name: "album", album) }
            Reduce(each: \.screens) { (app, id, _: PresentationAction) in
                app.screens.remove(id: id)
            }
        }
        for page in [Page.album(1), .album(2), .search] { go(.push(page), in: store) }
        let lower = try #require(Address("screens/#2/album"))
        store.dispatch(AlbumAction.leave, to: lower)
        await store.waitUntilIdle()
        #expect(store.state.screens.routes == RouteStack(.menu, .album(1)))
        var screens = store.state.screens
        screens.remove(id: 0)
        screens.remove(id: 9)
        #expect(screens == store.state.screens)
    }
}
