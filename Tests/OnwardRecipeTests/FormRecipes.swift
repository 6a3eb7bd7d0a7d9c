// SPDX-License-Identifier: MIT
#if Testing

import Onward
import OnwardNavigation
import OnwardTesting
import Testing

// What stands between the comments is shown in Documentation/Cook/Forms.md.
struct FormRecipes {
    @Test func `each field is edited without an action of its own, and one rule sees all edits`()
        async
    {
        // recipe: editing-a-form
        struct SignUp: Equatable, Editable {
            var name = "", mail = "", age: Int?, wantsNews = false, touched: Set<String> = []
            static let fields = Fields<SignUp>(\.name, \.mail, \.age, \.wantsNews)
        }

        let signUp = Feature<SignUp> {
            Edits()
            Reduce { (form, edit: Edit<SignUp>) in
                form.touched.insert(edit.field)
                if let name = edit.value(of: \.name) { form.name = String(name.prefix(20)) }
            }
        }
        // end
        let store = TestStore(SignUp()) { signUp }
        await store.edit(\.name, "Ann") { $0.touched = ["name"] }
        await store.edit(\.age, 30) { $0.touched = ["name", "age"] }
        await store.edit(\.name, "A name that is too long") { $0.name = "A name that is too l" }
        await store.finish()
    }

    @Test func `a form says what is wrong once a field was left, and sends only what is right`()
        async
    {
        // recipe: validation
        struct SignUp: Equatable, Sendable {
            var name = "", age = "", touched: Set<String> = []

            var problems: [String: String] {
                var found: [String: String] = [:]
                if name.isEmpty { found["name"] = "Please enter a name." }
                if Int(age).map({ $0 < 18 }) ?? true { found["age"] = "You have to be 18." }
                return found
            }
            var shown: [String: String] { problems.filter { touched.contains($0.key) } }
        }
        enum SignUpAction: Action, Equatable { case name(String), age(String), left(String), send }

        func signUp(_ send: @escaping @Sendable (String) async throws -> Void) -> Feature<SignUp> {
            Feature {
                // shown as: Reduce { … }  // keeps what was typed; `.left` touches a field, `.send` all
                Reduce { (form, action: SignUpAction) in
                    switch action {
                    case .name(let name): form.name = name
                    case .age(let age): form.age = age
                    case .left(let field): form.touched.insert(field)
                    case .send: form.touched = ["name", "age"]
                    }
                }
                // to here
                OnAction { (form, action: SignUpAction, _) in
                    guard action == .send, form.problems.isEmpty else { return .none }
                    return .run { [name = form.name] in try await send(name) }
                }
            }
        }
        // end
        let sent = Guarded<[String]>([])
        let store = TestStore(SignUp()) { signUp { name in sent.withValue { $0.append(name) } } }
        await store.dispatch(SignUpAction.left("name")) { $0.touched = ["name"] }
        #expect(store.state.shown == ["name": "Please enter a name."])
        await store.dispatch(SignUpAction.send) { $0.touched = ["name", "age"] }
        await store.dispatch(SignUpAction.name("Ann")) { $0.name = "Ann" }
        await store.dispatch(SignUpAction.age("30")) { $0.age = "30" }
        await store.dispatch(SignUpAction.send)
        await store.finish()
        #expect(sent.withValue { $0 } == ["Ann"])
    }

    @Test func `a seat that is taken is refused with a reason, and nothing has happened`() {
        // recipe: refusal
        struct Hall: Equatable, Sendable { var seats: [Int: String] = [:] }
        struct Book: Action { let seat: Int, name: String }
        enum BookingRefusal: RefusalReason {
            case taken
            var sentence: String { "Somebody has just booked this seat." }
        }

        let hall = Feature<Hall> {
            Check { (hall: Hall, book: Book) throws(BookingRefusal) in
                if hall.seats[book.seat] != nil { throw .taken }
            }
            Reduce { (hall, book: Book) in hall.seats[book.seat] = book.name }
        }
        // end
        let store = Store(Hall()) { hall }
        #expect(store.dispatch(Book(seat: 1, name: "Ann")).version == 1)
        #expect(store.dispatch(Book(seat: 1, name: "Bob")).reason() == BookingRefusal.taken)
        #expect(store.state.seats == [1: "Ann"])
    }

    @Test func `the answer about an older name changes nothing`() async {
        // recipe: checking-a-name
        struct Profile: Equatable, Sendable {
            var name = "", isFree: Bool?
            var wanted: String? { name.isEmpty ? nil : name }
        }
        enum ProfileAction: Action, Equatable { case name(String), checked(Bool) }

        func profile(
            _ isFree: @escaping @Sendable (String) async throws -> Bool
        ) -> Feature<Profile> {
            Feature {
                // shown as: Reduce { … }  // another name forgets whether the one before was free
                Reduce { (profile, action: ProfileAction) in
                    switch action {
                    case .name(let name): profile = Profile(name: name)
                    case .checked(let isFree): profile.isFree = isFree
                    }
                }
                // to here
                While(\.wanted) { name, context in
                    // Cancelled by the next key.
                    try await context.clock.sleep(for: .milliseconds(500))
                    context.dispatch(ProfileAction.checked(try await isFree(name)))
                }
            }
        }
        // end
        let store = TestStore(Profile()) { profile { $0 != "ann" } }
        await store.dispatch(ProfileAction.name("ann")) { $0.name = "ann" }
        await store.advance(by: .milliseconds(400))
        await store.dispatch(ProfileAction.name("anna")) { $0.name = "anna" }
        await store.advance(by: .milliseconds(500))
        await store.receive(ProfileAction.checked(true)) { $0.isFree = true }
        await store.finish()
    }

    @Test func `a question is asked before something is deleted for good`() {
        // recipe: asking-first
        struct Notes: Equatable, Sendable {
            var all = ["Milk", "Bread"], question: Dialog<NotesAction>?
        }
        enum NotesAction: Action, Equatable { case delete(String), deleteForGood(String) }

        let notes = Feature<Notes> {
            Reduce { (notes, action: NotesAction) in
                switch action {
                case .delete(let note):
                    notes.question = Dialog(
                        "Delete “\(note)”?",
                        [
                            .init("Delete", role: .destructive, .deleteForGood(note)),
                            .init("Keep", role: .cancel),
                        ])
                case .deleteForGood(let note):
                    if notes.question != nil { notes.all.removeAll { $0 == note } }
                }
            }
            Present(\.question)  // its buttons close it
        }
        // end
        let store = Store(Notes()) { notes }
        store.dispatch(NotesAction.delete("Milk"))
        #expect(store.state.question?.title == "Delete “Milk”?")
        store.dispatch(NotesAction.deleteForGood("Milk"))
        store.dispatch(NotesAction.deleteForGood("Bread"))
        #expect(store.state.all == ["Bread"])
        #expect(store.state.question == nil)
    }

    @Test func `a sheet closes itself when what it edits was saved`() async {
        // recipe: sheet
        struct Editor: Equatable, Sendable { var text = "" }
        struct Desk: Equatable, Sendable { var editor: Editor? }
        enum DeskAction: Action, Equatable { case edit }
        enum EditorAction: Action, Equatable { case typed(String), save, cancel }

        func desk(_ save: @escaping @Sendable (String) async throws -> Void) -> Feature<Desk> {
            Feature {
                Reduce { (desk, _: DeskAction) in desk.editor = Editor() }
                Present(
                    \.editor,
                    Feature<Editor> {
                        // shown as: Reduce { … }  // keeps the text
                        Reduce { (editor, action: EditorAction) in
                            if case .typed(let text) = action { editor.text = text }
                        }
                        // to here
                        OnAction { (editor, action: EditorAction, context) in
                            switch action {
                            case .typed: .none
                            case .cancel: .dismiss()
                            case .save:
                                .run { [text = editor.text] in
                                    try await save(text)
                                    context.dismiss()
                                }
                            }
                        }
                    })
            }
        }
        // end
        let saved = Guarded<[String]>([])
        let store = TestStore(Desk()) { desk { text in saved.withValue { $0.append(text) } } }
        await store.dispatch(DeskAction.edit) { $0.editor = Editor() }
        await store.dispatch(EditorAction.typed("Dear"), to: .child(\.editor)) {
            $0.editor?.text = "Dear"
        }
        await store.dispatch(EditorAction.save, to: .child(\.editor))
        await store.receive(PresentationAction.dismiss) { $0.editor = nil }
        await store.finish()
        #expect(saved.withValue { $0 } == ["Dear"])
    }

    @Test func `a wizard is always in one of its steps, and keeps what the earlier ones gave`() {
        // recipe: steps
        enum Booking: Equatable, Sendable {
            case dates, seats(date: String), done(date: String, seat: Int)
        }
        enum BookingAction: Action { case date(String), seat(Int), back }

        let booking = Feature<Booking> {
            Reduce { (booking, action: BookingAction) in
                switch (booking, action) {
                case (.dates, .date(let date)): booking = .seats(date: date)
                case (.seats(let date), .seat(let seat)): booking = .done(date: date, seat: seat)
                case (.seats, .back): booking = .dates
                case (.done(let date, _), .back): booking = .seats(date: date)
                default: break  // a tap that came too late
                }
            }
        }
        // end
        let store = Store(Booking.dates) { booking }
        store.dispatch(BookingAction.seat(7))
        #expect(store.state == .dates)
        store.dispatch(BookingAction.date("May 1"))
        store.dispatch(BookingAction.seat(7))
        #expect(store.state == .done(date: "May 1", seat: 7))
        store.dispatch(BookingAction.back)
        #expect(store.state == .seats(date: "May 1"))
    }

    @Test func `a link opens its screen with the screens behind it, and an unknown one says so`() {
        // recipe: deep-links with OnwardNavigation
        enum Screen: Hashable, Sendable { case library, album(Int), unknown }
        struct App: Equatable, Sendable { var screens = RouteStack<Screen>(.library) }

        let links = RouteCodec<Screen>(
            notFound: .unknown,
            [
                RoutePattern("/library", .library),
                RoutePattern("/library/albums/:id") {
                    $0["id", as: Int.self].map { .album($0) }
                } write: {
                    if case .album(let id) = $0 { ["id": id] } else { nil }
                },
            ])
        let app = Feature<App> { Scope(\.screens, Navigation<Screen>()) }
        // end
        let store = Store(App()) { app }
        store.dispatch(NavigationAction.show(links.stack(at: "/library/albums/7")))
        #expect(store.state.screens.current == .album(7))
        #expect(links.text(of: .album(7)) == "/library/albums/7")
        store.dispatch(NavigationAction.show(links.stack(at: "/nowhere")))
        #expect(store.state.screens.current == .unknown)
    }

    @Test func `back leads to the screen before, and a tab to its first one`() {
        // recipe: navigation with OnwardNavigation
        enum Screen: Hashable, Sendable { case list, detail(Int), settings }
        struct App: Equatable, Sendable { var screens = RouteStack<Screen>(.list) }

        let app = Feature<App> { Scope(\.screens, Navigation<Screen>()) }
        let store = Store(App()) { app }
        store.dispatch(NavigationAction.push(Screen.detail(7)))
        store.dispatch(NavigationAction.push(Screen.settings))
        store.dispatch(NavigationAction<Screen>.pop)
        // end
        #expect(store.state.screens.current == .detail(7))
        store.dispatch(NavigationAction<Screen>.popToRoot)
        #expect(store.state.screens.current == .list)
    }

    @Test func `a login says why it failed, and keeps the token from every log`() async {
        struct WrongPassword: Error {}
        // recipe: login
        enum Login: Equatable, Sendable {
            case out(problem: String? = nil)
            case asking(Credentials)
            case inside(name: String, token: Redacted<String>)

            var asked: Credentials? { if case .asking(let asked) = self { asked } else { nil } }
        }
        struct Credentials: Equatable, Sendable { let name: String, password: Redacted<String> }
        enum LoginAction: Action, Equatable {
            case submit(Credentials), welcome(token: Redacted<String>), failed, logOut
        }

        func login(
            _ ask: @escaping @Sendable (Credentials) async throws -> Redacted<String>
        ) -> Feature<Login> {
            Feature {
                Reduce { (login, action: LoginAction) in
                    switch (login, action) {
                    case (.out, .submit(let credentials)): login = .asking(credentials)
                    case (.asking(let asked), .welcome(let token)):
                        login = .inside(name: asked.name, token: token)  // without the password
                    case (.asking, .failed): login = .out(problem: "Name or password is wrong.")
                    case (_, .logOut): login = .out()
                    default: break  // an answer that came too late
                    }
                }
                While(\.asked) { credentials, context in
                    context.dispatch(LoginAction.welcome(token: try await ask(credentials)))
                } catching: { _, _, context in
                    context.dispatch(LoginAction.failed)
                }
            }
        }
        // end
        let store = TestStore(Login.out()) {
            login { credentials in
                if credentials.password.wrappedValue != "secret" { throw WrongPassword() }
                return Redacted("token of \(credentials.name)")
            }
        }
        let wrong = Credentials(name: "Ann", password: Redacted("guess"))
        await store.dispatch(LoginAction.submit(wrong)) { $0 = .asking(wrong) }
        await store.receive(LoginAction.failed) { $0 = .out(problem: "Name or password is wrong.") }
        let right = Credentials(name: "Ann", password: Redacted("secret"))
        await store.dispatch(LoginAction.submit(right)) { $0 = .asking(right) }
        let token = Redacted("token of Ann")
        await store.receive(LoginAction.welcome(token: token)) {
            $0 = .inside(name: "Ann", token: token)
        }
        #expect(!"\(store.state)".contains("token of Ann"))
        await store.dispatch(LoginAction.logOut) { $0 = .out() }
        await store.dispatch(LoginAction.welcome(token: token))
        await store.finish()
    }
}
#endif
