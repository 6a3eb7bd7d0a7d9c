// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import OnwardNavigation
import Testing

@testable import OnwardReports
@testable import struct TestSupport.SeededGenerator

struct RedactionTests {
    private let folder = TemporaryFolder()

    /// A session in which the actions were dispatched.
    private func session(
        from state: Shop = Shop(), _ dispatch: (Store<Shop>) -> Void
    ) async throws -> (RecordedSession, Store<Shop>) {
        let store = Store(state) { shop }
        let recorder = try SessionRecorder(store, at: folder.path)
        await recorder.flush()
        dispatch(store)
        let session = try await recorder.session()
        await recorder.stop()
        return (session, store)
    }

    private func folded(_ report: Report) throws -> Shop {
        try report.folded(by: Store(Shop()) { shop })
    }

    @Test func `texts and bytes become stand-ins, in the state, in actions, in keys and in ids`()
        async throws
    {
        var before = Shop()
        before.items = [Shop.Item(id: "emma@hartfield.uk", title: "Emma Woodhouse", size: .large)]
        before.notes = ["frank": "is engaged"]
        let (session, _) = try await session(from: before) { store in
            store.dispatch(ItemAction.count(3), to: .row(\.items, id: "emma@hartfield.uk"))
            store.dispatch(ShopAction.note("Miss Bates", on: "frank"))
            store.dispatch(ShopAction.photo(Array("JPEG of Emma".utf8)))
            store.dispatch(ShopAction.failed("no account emma@hartfield.uk"))
        }
        let report = try session.report(in: shop)
        let text = String(decoding: try report.bytes(), as: UTF8.self)
        for secret in ["emma", "Emma", "Woodhouse", "frank", "engaged", "Bates", "JPEG"] {
            #expect(!text.contains(secret), "\(secret)")
        }
        let state = try folded(report)
        #expect(state.items.count == 1)
        #expect(state.items.first?.count == 3)
        #expect(state.items.first?.size == .large)
        #expect(state.notes.count == 1)
        #expect(state.photo.count == 12)
        #expect(state.items.first?.id.hasSuffix(".invalid") == true)
        #expect(report.redaction?.course == .same)
    }

    @Test func `stand-ins are equal where the originals were, and others in each report`()
        async throws
    {
        let (session, _) = try await session { store in
            store.dispatch(ShopAction.add(id: "a1", title: "Emma", size: .small))
            store.dispatch(ShopAction.add(id: "a2", title: "Emma", size: .large))
            store.dispatch(ShopAction.select("a2"))
        }
        let one = try folded(try session.report(in: shop))
        #expect(Set(one.items.map(\.title)).count == 1)
        #expect(one.items.map(\.id)[1] == one.selected)
        #expect(one.items.map(\.id)[0] != one.selected)
        let other = try folded(try session.report(in: shop))
        #expect(one.items.first?.title != other.items.first?.title)
    }

    @Test func `what is allowed stays, what is hidden goes, and hiding wins`() async throws {
        let (session, _) = try await session { store in
            store.dispatch(ShopAction.add(id: "a1", title: "Emma", size: .small))
            store.dispatch(ShopAction.note("green", on: "a1"))
            store.dispatch(ShopAction.failed("E-42"))
            store.dispatch(ShopAction.score(7, 77))
        }
        let redaction = Redaction<Shop>()
            .allowing(action: "ShopAction/add", "title")
            .allowing(action: "ShopAction/failed")
            .allowing(state: "items.*.title")
            .allowingTexts { $0 == "green" || $0 == "E-42" }
            .hidingTexts { $0 == "E-42" }
            .hiding(action: "ShopAction/score", "value1")
        let state = try folded(try session.report(in: shop, redacting: redaction))
        #expect(state.items.first?.title == "Emma")
        #expect(state.items.first?.id != "a1")
        #expect(Array(state.notes.values) == ["green"])
        #expect(state.error != "E-42")
        #expect(state.scores[7] != nil && state.scores[7] != 77)
    }

    @Test func `a key path hides and allows what it leads to in the state`() async throws {
        var before = Shop()
        (before.total, before.error, before.selected) = (123_456, "kept", "gone")
        let (session, _) = try await session(from: before) { _ in }
        let redaction = Redaction<Shop>().allowing(\.error).hiding(\.total)
        let state = try folded(try session.report(in: shop, redacting: redaction))
        #expect(state.error == "kept")
        #expect(state.total != 123_456)
        #expect(state.selected != "gone")
    }

    @Test func `what Redacted marks is replaced, whatever it is and whatever is allowed`()
        async throws
    {
        var before = Shop()
        before.pin = 987_654
        let (session, _) = try await session(from: before) { store in
            store.dispatch(ShopAction.pin(Redacted(987_654)))
        }
        let redaction = Redaction<Shop>().allowing(\.pin).allowing(action: "ShopAction")
        let report = try session.report(in: shop, redacting: redaction)
        let start = try StateCodec<Shop>().start(of: report)
        #expect(start.pin != 987_654)
        // Equal ones are equal: the state's and the action's.
        #expect(try folded(report).pin == start.pin)
    }

    @Test func `a course that the stand-ins change is said to be another`() async throws {
        struct Word: Codable, Sendable { var isLong = false, text = "" }
        enum WordAction: Action, Codable { case say(String) }
        let word = Feature<Word> {
            Reduce { (word: inout Word, action: WordAction) in
                switch action {
                case .say(let text): (word.text, word.isLong) = (text, text.hasPrefix("long"))
                }
            }
        }
        let store = Store(Word()) { word }
        let recorder = try SessionRecorder(store, at: folder.path)
        store.dispatch(WordAction.say("short"))
        store.dispatch(WordAction.say("long, very long"))
        let session = try await recorder.session()
        let redaction = Redaction<Word>().checking("is long") { $0.isLong }
        let report = try session.report(in: word, redacting: redaction)
        #expect(report.redaction?.course == .answer(2, predicate: "is long"))
        #expect(
            report.text().contains(
                "lead to another course: there was another answer to is long after entry 2.\n"))
        let allowed = try session.report(
            in: word, redacting: redaction.allowingTexts { $0.hasPrefix("long") })
        #expect(allowed.redaction?.isFaithful == true)
    }

    @Test func `a report says what was compared, and that no question was asked`() async throws {
        let (session, _) = try await session { store in
            store.dispatch(ShopAction.score(7, 77))
        }
        let plain = try session.report(in: shop)
        #expect(plain.redaction?.questions == [])
        #expect(
            plain.text().contains(
                """
                The replaced values lead to the same course: the same entries were handled, the same screens \
                were shown. No question about the state was asked, so no more is known; see \
                Redaction.checking.
                """))
        let redaction = Redaction<Shop>().checking("total") { $0.total }
            .checking("scores") { $0.scores.count }
        let asked = try session.report(in: shop, redacting: redaction)
        #expect(asked.redaction?.questions == ["total", "scores"])
        #expect(
            asked.text().contains(
                "were shown, and there were the same answers to: total, scores.\n"))
        #expect(try Report(bytes: try asked.bytes()).redaction == asked.redaction)
    }

    /// Inside another type, so that its name has two parts.
    private enum Second {
        enum BankAction: Action, Codable { case deposit(Int), withdraw(Int) }
        struct Close: Action, Codable { var reason = "" }
    }

    @Test(
        arguments: [
            ("ShopAction", nil),
            ("ShopAction/add", nil),
            ("RedactionTests.Second.BankAction/deposit", nil),
            ("RedactionTests.Second.Close", nil),
            ("ShopActon/add", "Is it \"ShopAction/add\"? "),
            ("BankAction/deposit", "Is it \"RedactionTests.Second.BankAction/deposit\"? "),
            ("Order", "They are: ItemAction, RedactionTests.Second.BankAction, "),
            ("ShopAction/slect", "ShopAction has no such case"),
            ("ShopAction/slect", "Is it \"ShopAction/select\"?"),
        ] as [(String, String?)])
    func `a rule about an action that isn't handled is an error, which says what may be meant`(
        name: String, hint: String?
    ) async throws {
        let app = Feature<Shop> {
            shop
            Reduce { (shop: inout Shop, _: Second.BankAction) in shop.total += 1 }
            Reduce { (shop: inout Shop, _: Second.Close) in shop.total = 0 }
        }
        let (session, _) = try await session { _ in }
        for redaction in [
            Redaction<Shop>().hiding(action: name), Redaction<Shop>().allowing(action: name, "x"),
        ] {
            guard let hint else {
                _ = try session.report(in: app, redacting: redaction)
                continue
            }
            let error = #expect(throws: ReportError.self) {
                try session.report(in: app, redacting: redaction)
            }
            #expect(error?.code == .unknownAction)
            #expect(error?.description.contains("\"\(name)\"") == true)
            #expect(error?.description.contains(hint) == true)
        }
    }

    @Test func `a rule that met no value is said, so that a wrong name is seen`() async throws {
        var before = Shop()
        before.total = 123_456
        let (session, _) = try await session(from: before) { store in
            store.dispatch(ShopAction.add(id: "a1", title: "Emma", size: .small))
        }
        let redaction = Redaction<Shop>()
            .hiding(state: "total").hiding(\.total)
            .hiding(state: "totla")
            .allowing(state: "items.*.title")  // There is an item later.
            .allowing(state: "notes.*")
            .hiding(action: "ShopAction/add", "title").allowing(action: "ShopAction/add", "titel")
            .allowing(action: "ShopAction/note", "nowhere")  // There was no such action.
        let report = try session.report(in: shop, redacting: redaction)
        let unmatched = [
            #"hiding(state: "totla")"#, #"allowing(state: "notes.*")"#,
            #"allowing(action: "ShopAction/add", "titel")"#,
        ]
        #expect(report.redaction?.unmatched == unmatched)
        #expect(
            report.text().contains(
                """
                These rules met no value, so look whether what they are meant for is below: \
                \(unmatched.joined(separator: ", ")).
                """))
        #expect(try Report(bytes: try report.bytes()).redaction?.unmatched == unmatched)
        let exact = try session.report(in: shop, redacting: Redaction().hiding(\.total))
        #expect(exact.redaction?.unmatched == [])
        #expect(!exact.text().contains("These rules"))
    }

    @Test func `a summary of a report from before questions and rules were named is read`() {
        let summary = RedactionSummary(replaced: 3, standIns: 2, course: .same)
        guard case .object(var fields) = summary.value else { return #expect(Bool(false)) }
        fields["questions"] = nil
        fields["unmatched"] = nil
        #expect(RedactionSummary(.object(fields)) == summary)
        fields["unmatched"] = .list([.integer(7)])
        #expect(RedactionSummary(.object(fields)) == nil)
    }

    @Test func `an entry that is handled in one run only is found`() async throws {
        struct Cave: Codable, Sendable { var inside: Room?, key = "k" }
        struct Room: Codable, Sendable { var visits = 0 }
        enum CaveAction: Action, Codable { case open(String) }
        enum RoomAction: Action, Codable { case enter }
        let cave = Feature<Cave> {
            Reduce { (cave: inout Cave, action: CaveAction) in
                switch action {
                case .open(let key): if key == "sesame" { cave.inside = Room() }
                }
            }
            Scope(
                \.inside,
                Feature<Room> {
                    Reduce { (room: inout Room, _: RoomAction) in room.visits += 1 }
                })
        }
        let store = Store(Cave()) { cave }
        let recorder = try SessionRecorder(store, at: folder.path)
        store.dispatch(CaveAction.open("sesame"))
        store.dispatch(RoomAction.enter)
        let report = try (try await recorder.session()).report(in: cave)
        #expect(report.redaction?.course == .handled(2))
    }

    private enum Screen: Codable, Equatable, Sendable { case list, item(String) }

    /// A stack of screens in an account, which there may not be, beside a rule that goes by the text.
    private struct Library: Codable, Sendable {
        enum Session: Codable, Sendable { case none, open(Reader) }
        struct Reader: Codable, Sendable { var routes = RouteStack(Screen.list) }
        var session = Session.none
        var tabs = RouteTabs<Screen>()
    }
    private enum LibraryAction: Action, Codable { case open, look(String) }

    private let library = Feature<Library> {
        Reduce { (library: inout Library, action: LibraryAction) in
            switch action {
            case .open: library.session = .open(Library.Reader())
            case .look(let id):
                guard case .open(var reader) = library.session else { return }
                // The mistake that redaction makes a difference to.
                if id.contains(" ") {
                    reader.routes.popToRoot()
                } else {
                    reader.routes.push(.item(id))
                }
                library.session = .open(reader)
            }
        }
        Scope(\.tabs, TabNavigation<Screen>())
    }

    @Test func `the same screens are shown, whatever ids they have`() async throws {
        let store = Store(Library()) { library }
        let recorder = try SessionRecorder(store, at: folder.path)
        store.dispatch(LibraryAction.open)
        for id in ["emma", "persuasion", "emma"] { store.dispatch(LibraryAction.look(id)) }
        store.dispatch(TabAction.open("secret tab", at: RouteStack(Screen.list, .item("emma"))))
        store.dispatch(
            NavigationAction.push(Screen.item("sanditon")),
            to: Address(
                [.slice("tabs")] + RouteTabs<Screen>.address(ofTab: "secret tab").components))
        #expect(store.state.tabs["secret tab"]?.levels.count == 3)
        let report = try (try await recorder.session()).report(in: library)
        #expect(report.redaction?.course == .same)
        #expect(report.text().contains("lead to the same course"))
        let text = String(decoding: try report.bytes(), as: UTF8.self)
        for secret in ["emma", "persuasion", "sanditon", "secret tab"] {
            #expect(!text.contains(secret), "\(secret)")
        }
    }

    @Test func `another screen is another course, and no predicate has to ask for it`() async throws
    {
        let store = Store(Library()) { library }
        let recorder = try SessionRecorder(store, at: folder.path)
        store.dispatch(LibraryAction.open)
        store.dispatch(LibraryAction.look("emma"))
        store.dispatch(LibraryAction.look("the end"))
        let session = try await recorder.session()
        #expect(try session.report(in: library).redaction?.course == .routes(3))
        let report = try session.report(
            in: library, redacting: Redaction().allowingTexts { _ in true })
        #expect(report.redaction?.isFaithful == true)
    }

    /// A stack whose screens have states.
    private struct Shelf: Codable, Sendable {
        enum Page: ScreenState, Codable {
            case list, item(String)
            init(at route: Screen) {
                switch route {
                case .list: self = .list
                case .item(let id): self = .item(id)
                }
            }
        }
        var screens = ScreenStack<Page>(.list)
    }

    @Test func `another screen of a stack with states is another course`() async throws {
        let shelf = Feature<Shelf> {
            Reduce { (shelf: inout Shelf, action: LibraryAction) in
                guard case .look(let id) = action else { return }
                if id.contains(" ") {
                    shelf.screens.routes.popToRoot()
                } else {
                    shelf.screens.routes.push(.item(id))
                }
            }
        }
        let store = Store(Shelf()) { shelf }
        let recorder = try SessionRecorder(store, at: folder.path)
        store.dispatch(LibraryAction.look("emma"))
        store.dispatch(LibraryAction.look("the end"))
        let report = try (try await recorder.session()).report(in: shelf)
        #expect(report.redaction?.course == .routes(2))
        #expect(report.text().contains("other screens were shown after entry 2"))
    }

    @Test func `a report says that actions are missing which can't be encoded`() async throws {
        struct Unknown: Action {}
        let feature = Feature<Shop> {
            shop
            Reduce { (shop: inout Shop, _: Unknown) in shop.items = [] }
        }
        let store = Store(Shop()) { feature }
        let recorder = try SessionRecorder(store, at: folder.path)
        store.dispatch(Unknown())
        let report = try (try await recorder.session()).report(in: feature)
        #expect(
            report.text().contains(
                "Entries that are missing, as their actions can't be encoded: 1. What happened"))
    }

    @Test func `a difference in routes is kept in the file`() throws {
        for course in [
            RedactionSummary.Course.same, .routes(7), .handled(8), .unreadable(9),
            .answer(10, predicate: "total"),
        ] {
            let summary = RedactionSummary(replaced: 3, standIns: 2, course: course)
            #expect(RedactionSummary(summary.value) == summary)
        }
    }

    @Test func `a stand-in that can't be decoded is said, and the report is made all the same`()
        async throws
    {
        struct Mail: Codable, Sendable {
            var text: String
            init(_ text: String) { self.text = text }
            init(from decoder: any Decoder) throws {
                text = try decoder.singleValueContainer().decode(String.self)
                if !text.hasPrefix("mail:") {
                    throw DecodingError.dataCorrupted(
                        .init(codingPath: [], debugDescription: text))
                }
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(text)
            }
        }
        struct Send: Action, Codable { var mail: Mail }
        struct Box: Codable, Sendable { var count = 0 }
        let box = Feature<Box> { Reduce { (box: inout Box, _: Send) in box.count += 1 } }
        let store = Store(Box()) { box }
        let recorder = try SessionRecorder(store, at: folder.path)
        store.dispatch(Send(mail: Mail("mail:secret")))
        let report = try (try await recorder.session()).report(in: box)
        #expect(report.redaction?.course == .unreadable(1))
        #expect(!String(decoding: try report.bytes(), as: UTF8.self).contains("secret"))
        let error = #expect(throws: ReportError.self) { try report.folded(by: store) }
        #expect(error?.code == .unreadable)
    }

    private struct SignUp: Codable, Equatable, Editable {
        enum Plan: String, Codable { case free, paid }
        var name = "", age: Int?, plan = Plan.free, password = Redacted("")
        static let fields = Fields<SignUp>(\.name, \.age, \.plan, \.password)
    }

    @Test func `of an edit, the field stays and the text becomes a stand-in`() async throws {
        let form = Feature<SignUp> { Edits() }
        let store = Store(SignUp()) { form }
        let recorder = try SessionRecorder(store, at: folder.path)
        await recorder.flush()
        store.edit(\.name, "Emma")
        store.edit(\.age, 21)
        store.edit(\.plan, .paid)
        store.edit(\.password, Redacted("harriet"))
        let report = try await recorder.session().report(in: form)
        await recorder.stop()
        let text = String(decoding: try report.bytes(), as: UTF8.self)
        #expect(!text.contains("Emma") && !text.contains("harriet"))
        let state = try report.folded(by: Store(SignUp()) { form })
        #expect(!state.name.isEmpty)
        #expect(state.age == 21 && state.plan == .paid)
        #expect(report.redaction?.course == .same)
    }
}
