// SPDX-License-Identifier: MIT

import Observation
import Onward
import Testing

@testable import TestSupport

private struct Form: Equatable, Sendable {
    var name = ""
    var tracks: EntityTable<Track> = [Track(id: 1), Track(id: 2)]
    var editor: Track?
}

private struct Track: Equatable, Identifiable, Sendable {
    let id: Int
    var title = ""
}

private enum FormAction: Action { case rename(String), edit(Track?) }
private enum TrackAction: Action { case retitle(String) }

private let track = Feature<Track> {
    Reduce { (track, action: TrackAction) in
        if case .retitle(let title) = action { track.title = title }
    }
}

private func makeForm() -> Store<Form> {
    Store(Form()) {
        Reduce { (form, action: FormAction) in
            switch action {
            case .rename(let name): form.name = name
            case .edit(let track): form.editor = track
            }
        }
        Scope(each: \.tracks, track)
        Scope(\.editor, track)
    }
}

/// What SwiftUI's `@Bindable` does, as far as key paths go.
@dynamicMemberLookup
private struct BindableLike<Object: AnyObject & Observable> {
    let object: Object

    subscript<Value>(dynamicMember path: ReferenceWritableKeyPath<Object, Value>) -> Value {
        get { object[keyPath: path] }
        nonmutating set { object[keyPath: path] = newValue }
    }
}

@Suite struct FeatureStoreTests {
    @Test
    func `sends the actions of its feature, and reads what they did`() {
        let form = makeForm().scoped(sending: FormAction.self)
        let result = form.send(.rename("Ada"))
        #expect(result == .accepted(1))
        #expect(form.state.name == "Ada")
        #expect(form[\.name] == "Ada")
        #expect(form[.selecting { $0.name.count }] == 3)
    }

    @Test
    func `sends to its own instance alone, and says where the call stands`() throws {
        let store = makeForm()
        let entries = Log<LogEntry>()
        let token = store.log.attach(Observe<Form> { entries.append($0.entry) })
        let row = try #require(
            store.scoped(sending: FormAction.self)
                .scoped(to: .row(\.tracks, id: 2), sending: TrackAction.self).unwrapped())
        row.send(.retitle("B"))
        #expect(store.state.tracks.map(\.title) == ["", "B"])
        let entry = try #require(entries.all.first)
        #expect(entry.address.description == "tracks/#2")
        #expect(entry.origin.line == #line - 4)
        #expect(entry.origin.file.hasSuffix("FeatureStoreTests.swift"))
        token.cancel()
    }

    @Test
    func `an optional slice is unwrapped while it is there`() throws {
        let form = makeForm().scoped(sending: FormAction.self)
        let editor = form.scoped(to: \.editor, sending: TrackAction.self)
        #expect(editor.unwrapped() == nil)
        form.send(.edit(Track(id: 9)))
        let shown = try #require(editor.unwrapped())
        shown.send(.retitle("New"))
        #expect(form.state.editor?.title == "New")
        #expect(shown[\.title] == "New")
        form.send(.edit(nil))
        #expect(shown[\.title] == "New")
        #expect(shown.send(.retitle("Late")) == .refused(.absent))
    }

    @Test @MainActor
    func `a binding of it sends, and notifies the view`() {
        let form = makeForm().scoped(sending: FormAction.self)
        let bindable = BindableLike(object: form)
        let notified = Log<String>()
        withObservationTracking {
            #expect(bindable[\.name, sending: .action { .rename($0) }] == "")
        } onChange: {
            notified.append(form.state.name)
        }
        bindable[\.name, sending: .action { .rename($0) }] = "Ada"
        #expect(bindable[\.name, sending: .action(FormAction.rename)] == "Ada")
        #expect(notified.all == ["Ada"])
    }

    @Test @MainActor
    func `closures of the main actor are called there, before send returns`() {
        let form = makeForm().scoped(sending: FormAction.self)
        var (names, titles): ([String], [String]) = ([], [])
        let tokens = [
            form.subscribe(\.name, initially: true) { _, name in names.append(name) },
            form.subscribe(.row(\.tracks, id: 1)) { _, track in titles.append(track?.title ?? "") },
        ]
        form.send(.rename("Ada"))
        form.scoped(to: .row(\.tracks, id: 1), sending: TrackAction.self).send(.retitle("A"))
        #expect(names == ["", "Ada"])
        #expect(titles == ["A"])
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `its values are those of the store`() async {
        let form = makeForm().scoped(sending: FormAction.self)
        var names = form.values(of: \.name).makeAsyncIterator()
        #expect(await names.next() == "")
        form.send(.rename("Ada"))
        #expect(await names.next() == "Ada")
    }

    @Test @MainActor
    func `who unwraps a slice in a view is notified when it comes and when it goes`() {
        let form = makeForm().scoped(sending: FormAction.self)
        let notified = Log<Bool>()
        func look() {
            withObservationTracking {
                _ = form.scoped(to: \.editor, sending: TrackAction.self).unwrapped()
            } onChange: {
                notified.append(form.state.editor != nil)
            }
        }
        look()
        form.send(.rename("Ada"))
        #expect(notified.all == [])
        form.send(.edit(Track(id: 9)))
        #expect(notified.all == [true])
        look()
        form.scoped(to: \.editor, sending: TrackAction.self).send(.retitle("New"))
        #expect(notified.all == [true])
        form.send(.edit(nil))
        #expect(notified.all == [true, false])
    }
}
