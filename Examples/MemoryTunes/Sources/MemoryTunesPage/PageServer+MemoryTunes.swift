// SPDX-License-Identifier: MIT

public import MemoryTunesCore
public import Onward
public import OnwardJournal
public import OnwardServer
public import TunesService

extension PageServer<MemoryTunes> {
    /// The app on a web server: one store per visitor.
    ///
    /// - Parameters:
    ///   - source: Where covers are found.
    ///   - cache: Where their pictures come from.
    ///   - saved: Where category and game last from launch to launch; nowhere if nil.
    ///   - journals: Where all of it lasts, move by move, in place of that.
    ///   - reports: What records the games, so that players can report a problem; nil for no such button.
    ///   - store: What all stores take from their surroundings.
    ///   - onOpen: Called with each store before anything happens in it.
    ///   - options: Where to serve the app.
    /// - Returns: A server that is ready to run.
    /// - Throws: The parser's error when a template has a mistake.
    public static func memoryTunes(
        source: CoverSource, cache: CoverCache, saved: SavedGames?,
        journals: (any Journals)? = nil, reports: GameReports? = nil,
        store: StoreOptions = StoreOptions(),
        onOpen: @escaping @Sendable (Store<MemoryTunes>) -> Void = { _ in },
        options: ServerOptions = ServerOptions()
    ) throws -> PageServer<MemoryTunes> {
        let searches = SearchAllowance()
        let app = { @Sendable (visitor: VisitorID) in
            MemoryTunesCore.memoryTunes { category in
                guard searches.take(visitor) else { throw Problem.tooManySearches }
                let found = try await source.covers(for: category)
                cache.expect(Game.choice(of: found.covers))
                return found
            }
        }
        let open = {
            @Sendable
            (
                visitor: VisitorID, isNew: Bool, requests: ProcessedRequests
            ) -> Store<MemoryTunes>? in
            let kept = saved?.value(of: visitor)
            // A file that can't be read now stays for the next visit.
            let state = isNew ? nil : kept.flatMap(SavedGames.load)?.sound
            guard isNew || state != nil else { return nil }
            requests.restore(state?.requests ?? [])
            cache.expect(state?.game?.cards.map(\.cover) ?? [])
            let opened = Store(MemoryTunes(state), options: store) {
                app(visitor)
                if let kept {
                    // While a game is played its clock changes every second.
                    Saving(\.saved, as: kept, after: .seconds(2)) { state in
                        var state = state
                        state.requests = requests.ids
                        return state
                    }
                }
            }
            reports?.record(opened, of: visitor)
            onOpen(opened)
            return opened
        }
        let restore = { @Sendable (visitor: VisitorID, journal: any Journal) async throws in
            var options = PersistenceOptions<MemoryTunes>()
            options.recording.snapshotSpacing = 1_000
            options.retention = .newest(1_000)
            let kept = try await Persistence(
                of: MemoryTunes(), in: journal, options: options, storeOptions: store
            ) { app(visitor) }
            cache.expect(kept.store.state.game.cards.map(\.cover))
            reports?.record(kept.store, of: visitor)
            onOpen(kept.store)
            return kept
        }
        let (limit, idle, lifetime) = (1_000, Duration.seconds(1_800), Duration.seconds(31_536_000))
        let hosting: Hosting<MemoryTunes> =
            if let journals {
                .returningVisitor(
                    limit: limit, idle: idle, lifetime: lifetime, in: journals, open: restore)
            } else {
                .returningVisitor(limit: limit, idle: idle, lifetime: lifetime, open: open)
            }
        return PageServer(
            try .memoryTunes(canReport: reports != nil),
            hosting: hosting,
            assets: [
                Asset(
                    path: "/page.css", contentType: "text/css; charset=utf-8",
                    bytes: PackageResources.page_css),
                Asset(
                    path: "/memorytunes.js", contentType: "text/javascript; charset=utf-8",
                    bytes: PackageResources.memorytunes_js),
                drawing("/back.svg", PackageResources.back_svg),
                drawing("/cards.svg", PackageResources.cards_svg),
                drawing("/dice.svg", PackageResources.dice_svg),
                drawing("/note.svg", PackageResources.note_svg),
            ],
            folders: [.covers(in: cache)] + (reports.map { [$0.files] } ?? []),
            options: options)
    }

    private static func drawing(_ path: String, _ bytes: [UInt8]) -> Asset {
        Asset(path: path, contentType: "image/svg+xml", bytes: bytes)
    }
}
