// SPDX-License-Identifier: MIT
#if Testing

import Foundation
import Onward
import OnwardJournal
import OnwardTesting
import Testing

// What stands between the comments is shown in Documentation/Cook/Servers.md.
struct ServerRecipes {
    struct Problem: Error, Equatable {}

    @Test func `what a screen shows is loaded when it comes, and can be asked for again`() async {
        // recipe: loading
        struct Shelf: Equatable, Sendable { var books = Loadable<[String], String>.idle }
        enum ShelfAction: Action, Equatable {
            case appeared, refresh, loaded([String]), failed(String)
        }

        func shelf(_ books: @escaping @Sendable () async throws -> [String]) -> Feature<Shelf> {
            Feature {
                Reduce { (shelf, action: ShelfAction) in
                    switch action {
                    case .appeared: if shelf.books.isIdle { shelf.books.load() }
                    case .refresh: shelf.books.load()
                    case .loaded(let books): shelf.books = .loaded(books)
                    case .failed(let reason): shelf.books.fail(reason)
                    }
                }
                While(\.books.isLoading) { _, context in
                    context.dispatch(ShelfAction.loaded(try await books()))
                } catching: { _, error, context in
                    context.dispatch(ShelfAction.failed("\(error)"))
                }
            }
        }
        // end
        let store = TestStore(Shelf()) { shelf { ["Emma"] } }
        await store.dispatch(ShelfAction.appeared) { $0.books = .loading() }
        await store.receive(ShelfAction.loaded(["Emma"])) { $0.books = .loaded(["Emma"]) }
        await store.dispatch(ShelfAction.appeared)
        await store.dispatch(ShelfAction.refresh) { $0.books = .loading(previous: ["Emma"]) }
        await store.receive(ShelfAction.loaded(["Emma"])) { $0.books = .loaded(["Emma"]) }
        await store.finish()
    }

    @Test func `a screen that is left cancels what it was loading`() async {
        // recipe: leaving-a-screen
        struct Detail: Equatable, Sendable {
            let id: Int
            var text: String?
            var wanted: Int? { text == nil ? id : nil }
        }
        struct App: Equatable, Sendable { var detail: Detail? }
        enum AppAction: Action, Equatable { case open(Int), close }
        enum DetailAction: Action, Equatable { case loaded(String) }

        func app(_ text: @escaping @Sendable (Int) async throws -> String) -> Feature<App> {
            Feature {
                Reduce { (app, action: AppAction) in
                    switch action {
                    case .open(let id): app.detail = Detail(id: id)
                    case .close: app.detail = nil  // its effects end with it
                    }
                }
                Scope(\.detail) {
                    // shown as: Reduce { … }  // keeps the text
                    Reduce { (detail, action: DetailAction) in
                        if case .loaded(let text) = action { detail.text = text }
                    }
                    // to here
                    While(\.wanted) { id, context in
                        context.dispatch(DetailAction.loaded(try await text(id)))
                    }
                }
            }
        }
        // end
        let (answer, server) = AsyncStream<String>.makeStream()
        let store = TestStore(App()) {
            app { _ in
                for await text in answer { return text }
                return "late"
            }
        }
        await store.dispatch(AppAction.open(1)) { $0.detail = Detail(id: 1) }
        await store.dispatch(AppAction.close) { $0.detail = nil }
        await store.finish()
        server.finish()
    }

    @Test func `a page in sight is asked for every half minute, whatever one request throws`() async
    {
        // recipe: polling
        struct Inbox: Equatable, Sendable { var isShown = false, letters = 0, isOffline = false }
        enum InboxAction: Action, Equatable { case shown(Bool), arrived(Int), failed }

        func inbox(_ count: @escaping @Sendable () async throws -> Int) -> Feature<Inbox> {
            Feature {
                // shown as: Reduce { … }  // keeps whether it is in sight, the letters, and whether it is offline
                Reduce { (inbox, action: InboxAction) in
                    switch action {
                    case .shown(let isShown): inbox.isShown = isShown
                    case .arrived(let letters): (inbox.letters, inbox.isOffline) = (letters, false)
                    case .failed: inbox.isOffline = true
                    }
                }
                // to here
                While(\.isShown) { _, context in
                    while true {
                        do {
                            context.dispatch(InboxAction.arrived(try await count()))
                        } catch {
                            context.dispatch(InboxAction.failed)  // and asks again
                        }
                        try await context.clock.sleep(for: .seconds(30))
                    }
                }
            }
        }
        // end
        let asked = Guarded(0)
        let store = TestStore(Inbox()) {
            inbox {
                let number = asked.withValue {
                    $0 += 1; return $0
                }
                if number == 1 { throw Problem() }
                return number
            }
        }
        await store.dispatch(InboxAction.shown(true)) { $0.isShown = true }
        await store.receive(InboxAction.failed) { $0.isOffline = true }
        await store.advance(by: .seconds(30))
        await store.receive(InboxAction.arrived(2)) { ($0.letters, $0.isOffline) = (2, false) }
        await store.dispatch(InboxAction.shown(false)) { $0.isShown = false }
        await store.advance(by: .seconds(300))
        await store.finish()
    }

    @Test func `a request is tried again with growing pauses, and given up`() async {
        // recipe: retrying
        struct Upload: Equatable, Sendable { var isDone = false, problem: String? }
        enum UploadAction: Action, Equatable { case start, done, failed(String) }

        func upload(_ send: @escaping @Sendable () async throws -> Void) -> Feature<Upload> {
            Feature {
                // shown as: Reduce { … }  // clears both at the start; sets isDone, or the problem
                Reduce { (upload, action: UploadAction) in
                    switch action {
                    case .start: upload = Upload()
                    case .done: upload.isDone = true
                    case .failed(let reason): upload.problem = reason
                    }
                }
                // to here
                OnAction { (action: UploadAction, context) in
                    guard action == .start else { return .none }
                    return .run(id: "upload", .dropping) {
                        try await send()
                        context.dispatch(UploadAction.done)
                    } catching: { error in
                        context.dispatch(UploadAction.failed("\(error)"))
                    }
                    .retry(
                        attempts: 3, .exponential(from: .seconds(1), factor: 2, upTo: .seconds(30)))
                }
            }
        }
        // end
        let attempts = Guarded(0)
        let store = TestStore(Upload()) {
            upload {
                attempts.withValue { $0 += 1 }
                throw Problem()
            }
        }
        await store.dispatch(UploadAction.start)
        await store.advance(by: .seconds(60))
        await store.receive(UploadAction.failed("Problem()")) { $0.problem = "Problem()" }
        #expect(attempts.withValue { $0 } == 3)
        await store.finish()
    }

    @Test func `a like shows at once, and goes when it was refused and not changed again`() async {
        // recipe: optimistic-change
        struct Post: Equatable, Sendable { var isLiked = false, confirmed = false, changes = 0 }
        enum PostAction: Action, Equatable {
            case like(Bool), confirmed(Bool), refused(change: Int)
        }

        func post(_ send: @escaping @Sendable (Bool) async throws -> Void) -> Feature<Post> {
            Feature {
                Reduce { (post, action: PostAction) in
                    switch action {
                    case .like(let isLiked):
                        (post.isLiked, post.changes) = (isLiked, post.changes + 1)
                    case .confirmed(let isLiked): post.confirmed = isLiked
                    case .refused(let change):
                        if change == post.changes { post.isLiked = post.confirmed }
                    }
                }
                OnAction { (post, action: PostAction, context) in
                    guard case .like(let isLiked) = action else { return .none }
                    let change = post.changes
                    return .run(id: "like", .queue) {
                        try await send(isLiked)
                        context.dispatch(PostAction.confirmed(isLiked))
                    } catching: { _ in
                        context.dispatch(PostAction.refused(change: change))
                    }
                }
            }
        }
        // end
        let sent = Guarded(0)
        let store = TestStore(Post()) {
            post { _ in
                let number = sent.withValue {
                    $0 += 1; return $0
                }
                if number != 3 { throw Problem() }
            }
        }
        await store.dispatch(PostAction.like(true)) { ($0.isLiked, $0.changes) = (true, 1) }
        await store.receive(PostAction.refused(change: 1)) { $0.isLiked = false }
        await store.dispatch(inSuccession: [PostAction.like(true), PostAction.like(true)]) {
            ($0.isLiked, $0.changes) = (true, 3)
        }
        await store.receive(PostAction.refused(change: 2))
        await store.receive(PostAction.confirmed(true)) { $0.confirmed = true }
        await store.dispatch(PostAction.like(false)) { ($0.isLiked, $0.changes) = (false, 4) }
        await store.receive(PostAction.refused(change: 4)) { $0.isLiked = true }
        await store.finish()
    }

    @Test func `an upload says how far it is`() async {
        // recipe: progress
        struct Upload: Equatable, Sendable { var percent: Int? }
        enum UploadAction: Action, Equatable { case start, percent(Int), cancel }

        func upload(_ progress: @escaping @Sendable () -> AsyncStream<Int>) -> Feature<Upload> {
            Feature {
                // shown as: Reduce { … }  // keeps the percentage; nil when it is cancelled
                Reduce { (upload, action: UploadAction) in
                    switch action {
                    case .start: upload.percent = 0
                    case .percent(let percent): upload.percent = percent
                    case .cancel: upload.percent = nil
                    }
                }
                // to here
                OnAction { (action: UploadAction, context) in
                    switch action {
                    case .start:
                        .run(id: "upload") {
                            for await percent in progress() {
                                context.dispatch(UploadAction.percent(percent))
                            }
                        }
                    case .cancel: .cancel(id: "upload")
                    case .percent: .none
                    }
                }
            }
        }
        // end
        let store = TestStore(Upload()) { upload { AsyncStream { $0.yield(40) } } }
        await store.dispatch(UploadAction.start) { $0.percent = 0 }
        await store.receive(UploadAction.percent(40)) { $0.percent = 40 }
        await store.dispatch(UploadAction.cancel) { $0.percent = nil }
        await store.finish()
    }

    @Test func `two files are loaded at a time, and the next one begins when one has ended`()
        async
    {
        // recipe: a-few-at-a-time
        struct File: Equatable, Sendable, Identifiable {
            enum Phase: Sendable { case waiting, loading, done, failed }
            let id: Int
            var phase = Phase.waiting
            var loading: Int? { phase == .loading ? id : nil }
        }
        struct Files: Equatable, Sendable {
            var rows: EntityTable<File> = []

            mutating func fill() {
                let free = 2 - rows.count { $0.phase == .loading }
                for file in rows.filter({ $0.phase == .waiting }).prefix(free) {
                    rows[id: file.id]?.phase = .loading
                }
            }
        }
        enum FilesAction: Action, Equatable { case add(Int) }
        enum FileAction: Action, Equatable { case loaded, failed }

        func files(_ load: @escaping @Sendable (Int) async throws -> Void) -> Feature<Files> {
            Feature {
                Reduce { (files, action: FilesAction) in
                    switch action {
                    case .add(let id): files.rows.append(File(id: id))
                    }
                    files.fill()
                }
                Scope(each: \.rows) {
                    Reduce { (file, action: FileAction) in
                        file.phase = action == .loaded ? .done : .failed
                    }
                    While(\.loading) { id, context in
                        try await load(id)
                        context.dispatch(FileAction.loaded)
                    } catching: { _, _, context in
                        context.dispatch(FileAction.failed)
                    }
                }
                Reduce(each: \.rows) { (files, _, _: FileAction) in files.fill() }
            }
        }
        // end
        let clock = ManualClock()
        let store = TestStore(Files(), clock: clock) {
            files { id in
                try await clock.sleep(for: .seconds(id))
                if id == 2 { throw Problem() }
            }
        }
        await store.dispatch(FilesAction.add(1)) { $0.rows = [File(id: 1, phase: .loading)] }
        await store.dispatch(FilesAction.add(2)) { $0.rows.append(File(id: 2, phase: .loading)) }
        await store.dispatch(FilesAction.add(3)) { $0.rows.append(File(id: 3)) }
        await store.dispatch(FilesAction.add(4)) { $0.rows.append(File(id: 4)) }
        await store.advance(by: .seconds(1))
        await store.receive(FileAction.loaded) {
            $0.rows[id: 1]?.phase = .done
            $0.rows[id: 3]?.phase = .loading
        }
        await store.advance(by: .seconds(1))
        await store.receive(FileAction.failed) {
            $0.rows[id: 2]?.phase = .failed
            $0.rows[id: 4]?.phase = .loading
        }
        await store.advance(by: .seconds(4))
        await store.receive(FileAction.loaded) { $0.rows[id: 3]?.phase = .done }
        await store.receive(FileAction.loaded) { $0.rows[id: 4]?.phase = .done }
        await store.finish()
    }

    @Test func `a socket lives while its room is open, and is made anew when it breaks`() async {
        // recipe: web-socket
        struct Room: Equatable, Sendable { var name: String?, lines: [String] = [] }
        enum RoomAction: Action, Equatable { case enter(String), leave, received(String) }
        typealias Socket = @Sendable (String) -> AsyncThrowingStream<String, any Error>

        func room(_ socket: @escaping Socket) -> Feature<Room> {
            Feature {
                // shown as: Reduce { … }  // enters and leaves the room, keeps its lines
                Reduce { (room, action: RoomAction) in
                    switch action {
                    case .enter(let name): room = Room(name: name)
                    case .leave: room.name = nil
                    case .received(let line): room.lines.append(line)
                    }
                }
                // to here
                While(\.name) { name, context in
                    for try await line in socket(name) {
                        context.dispatch(RoomAction.received(line))
                    }
                }
                .modifying {
                    $0.retry(
                        attempts: .max,
                        .exponential(from: .seconds(1), factor: 2, upTo: .seconds(60)))
                }
            }
        }
        // end
        let connections = Guarded(0)
        let store = TestStore(Room()) {
            room { _ in
                let number = connections.withValue {
                    $0 += 1; return $0
                }
                return AsyncThrowingStream {
                    $0.yield("line \(number)")
                    if number == 1 { $0.finish(throwing: Problem()) }
                }
            }
        }
        await store.dispatch(RoomAction.enter("tea")) { $0.name = "tea" }
        await store.receive(RoomAction.received("line 1")) { $0.lines = ["line 1"] }
        await store.advance(by: .seconds(2))
        await store.receive(RoomAction.received("line 2")) { $0.lines = ["line 1", "line 2"] }
        await store.dispatch(RoomAction.leave) { $0.name = nil }
        await store.finish()
    }

    @Test func `what was done offline is sent in order, and is in the file once it is flushed`()
        async throws
    {
        // recipe: offline-queue
        struct Letter: Codable, Equatable, Sendable { let number: Int, text: String }
        struct Outbox: Codable, Equatable, Sendable {
            var isOnline = false, count = 0, waiting: [Letter] = []
            var next: Letter? { isOnline ? waiting.first : nil }
        }
        enum OutboxAction: Action, Equatable { case write(String), online(Bool), sent }

        func outbox(_ send: @escaping @Sendable (Letter) async throws -> Void) -> Feature<Outbox> {
            Feature {
                Reduce { (outbox, action: OutboxAction) in
                    switch action {
                    case .write(let text):
                        outbox.count += 1
                        outbox.waiting.append(Letter(number: outbox.count, text: text))
                    case .online(let isOnline): outbox.isOnline = isOnline
                    case .sent: outbox.waiting.removeFirst()
                    }
                }
                While(\.next) { letter, context in
                    try await send(letter)
                    context.dispatch(OutboxAction.sent)
                }
                .modifying {
                    $0.retry(
                        attempts: .max,
                        .exponential(from: .seconds(1), factor: 2, upTo: .seconds(60)))
                }
            }
        }
        // end
        let sent = Guarded<[Letter]>([])
        let store = TestStore(Outbox()) {
            outbox { letter in sent.withValue { $0.append(letter) } }
        }
        await store.dispatch(OutboxAction.write("a")) {
            ($0.count, $0.waiting) = (1, [Letter(number: 1, text: "a")])
        }
        await store.dispatch(OutboxAction.write("a")) { (outbox) in
            (outbox.count, outbox.waiting) = (2, outbox.waiting + [Letter(number: 2, text: "a")])
        }
        await store.dispatch(OutboxAction.online(true)) { $0.isOnline = true }
        await store.receive(OutboxAction.sent) { $0.waiting.removeFirst() }
        await store.receive(OutboxAction.sent) { $0.waiting.removeFirst() }
        #expect(sent.withValue { $0.map(\.number) } == [1, 2])
        await store.finish()
        // Looking at an earlier moment sends a letter again, with the number that it had.
        let clock = ManualClock()
        let travelling = Store(Outbox(), options: StoreOptions(clock: clock)) {
            outbox { letter in
                sent.withValue { $0.append(letter) }
                try await clock.sleep(for: .seconds(1))
            }
        }
        let history = History(of: travelling)
        travelling.dispatch(OutboxAction.online(true))
        travelling.dispatch(OutboxAction.write("b"))
        await clock.sleepers(1)
        history.step(by: -1)
        await clock.noSleepers()
        history.jumpToEnd()
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        try await travelling.wait { $0.waiting.isEmpty }
        #expect(sent.withValue { $0.suffix(2) } == [1, 1].map { Letter(number: $0, text: "b") })
        await travelling.shutdown()
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("onward-outbox-\(UUID().uuidString).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        // recipe: saved-queue with OnwardJournal
        struct App: Equatable, Sendable { var outbox = Outbox() }

        func makeStore(_ send: @escaping @Sendable (Letter) async throws -> Void) -> Store<App> {
            Store(App()) {
                Scope(\.outbox, outbox(send))
                // shown as: Saving(\.outbox, in: .file("outbox.json"))
                Saving(\.outbox, in: .file(path))
                // to here
            }
        }

        func write(_ text: String, in store: Store<App>) async throws {
            try await store.dispatch(OutboxAction.write(text), durable: .written)  // or an error
        }
        // end
        let first = makeStore { _ in }
        try await write("a", in: first)
        // The first program has ended by now, and nothing else was saved.
        let second = makeStore { _ in }
        #expect(second.state.outbox.waiting == [Letter(number: 1, text: "a")])
        await second.shutdown()
        await first.shutdown()
    }

    @Test func `a picture that many views want is loaded once`() async {
        // recipe: images
        struct Pictures: Equatable, Sendable {
            var byURL: [String: Loadable<[UInt8], String>] = [:]
        }
        enum PictureAction: Action, Equatable {
            case wanted(String), loaded(String, [UInt8]), failed(String)
        }

        func pictures(
            _ load: @escaping @Sendable (String) async throws -> [UInt8]
        ) -> Feature<Pictures> {
            Feature {
                Reduce { (pictures, action: PictureAction) in
                    switch action {
                    case .wanted(let url):
                        if pictures.byURL[url]?.isLoaded != true {
                            pictures.byURL[url, default: .idle].load()
                        }
                    case .loaded(let url, let bytes): pictures.byURL[url] = .loaded(bytes)
                    case .failed(let url): pictures.byURL[url]?.fail("That didn't work.")
                    }
                }
                OnAction { (action: PictureAction, context) in
                    guard case .wanted(let url) = action,
                        context.current.byURL[url]?.isLoaded != true
                    else { return .none }
                    return .run(id: url, .dropping) {
                        context.dispatch(PictureAction.loaded(url, try await load(url)))
                    } catching: { _ in
                        context.dispatch(PictureAction.failed(url))
                    }
                }
            }
        }
        // end
        let loads = Guarded(0)
        let store = TestStore(Pictures()) {
            pictures { _ in
                loads.withValue { $0 += 1 }
                return [1]
            }
        }
        await store.dispatch(inSuccession: [PictureAction.wanted("a"), .wanted("a")]) {
            $0.byURL["a"] = .loading()
        }
        await store.receive(PictureAction.loaded("a", [1])) { $0.byURL["a"] = .loaded([1]) }
        await store.dispatch(PictureAction.wanted("a"))
        #expect(loads.withValue { $0 } == 1)
        await store.finish()
    }

    // recipe: token-refresh
    actor Session {
        private var token: Task<String, any Error>
        private let refresh: @Sendable () async throws -> String

        // shown as: init(_ token: String, refresh: @escaping @Sendable () async throws -> String) { … }
        init(_ token: String, refresh: @escaping @Sendable () async throws -> String) {
            self.token = Task { token }
            self.refresh = refresh
        }
        // to here

        /// Does a request; where the token has expired, again with a new one.
        func request<Value: Sendable>(_ body: (String) async throws -> Value?) async throws
            -> Value?
        {
            let used = token
            if let value = try await body(try await used.value) { return value }
            // Others wait for this one.
            if token == used { token = Task { [refresh] in try await refresh() } }
            let renewed = token
            do {
                return try await body(try await renewed.value)
            } catch {
                // When the refresh has failed, the next request tries it again.
                if token == renewed, case .failure = await renewed.result { token = used }
                throw error
            }
        }
    }
    // end

    @Test func `a token that has expired is refreshed once for all who need it`() async throws {
        let refreshes = Guarded(0)
        let refused = Guarded(0)
        let session = Session("old") {
            refreshes.withValue { $0 += 1 }
            return "new"
        }
        let answers = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await session.request { token in
                        guard token == "old" else { return "answer" }
                        refused.withValue { $0 += 1 }
                        while refused.withValue({ $0 < 8 }) { await Task.yield() }
                        return nil
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0 == "answer" })
        #expect(refreshes.withValue { $0 } == 1)
    }

    @Test func `a refresh that has failed is tried again by the next request`() async throws {
        let refreshes = Guarded(0)
        let session = Session("old") {
            let number = refreshes.withValue {
                $0 += 1; return $0
            }
            if number == 1 { throw Problem() }
            return "new"
        }
        let ask: @Sendable (String) -> String? = { $0 == "new" ? "answer" : nil }
        await #expect(throws: Problem.self) { try await session.request { ask($0) } }
        #expect(try await session.request { ask($0) } == "answer")
    }

    @Test func `a button that is pressed again while it works does nothing`() async {
        // recipe: pressed-twice
        struct Checkout: Equatable, Sendable { var orders = 0 }
        enum CheckoutAction: Action, Equatable { case pay, paid }

        func checkout(_ pay: @escaping @Sendable () async throws -> Void) -> Feature<Checkout> {
            Feature {
                // shown as: Reduce { … }  // counts what was paid
                Reduce { (checkout, action: CheckoutAction) in
                    if action == .paid { checkout.orders += 1 }
                }
                // to here
                OnAction { (action: CheckoutAction, context) in
                    guard action == .pay else { return .none }
                    return .run(id: "pay", .dropping) {
                        try await pay()
                        context.dispatch(CheckoutAction.paid)
                    }
                }
            }
        }
        // end
        let store = TestStore(Checkout()) { checkout {} }
        await store.dispatch(inSuccession: [CheckoutAction.pay, .pay, .pay])
        await store.receive(CheckoutAction.paid) { $0.orders = 1 }
        await store.finish()
    }
}
#endif
