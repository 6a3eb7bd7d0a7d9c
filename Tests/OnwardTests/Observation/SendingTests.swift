// SPDX-License-Identifier: MIT

import Observation
import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import OnwardObservation
@testable import TestSupport

private struct Form: Equatable, Sendable {
    var name = ""
    var age = 0
}

private enum FormAction: Action, Equatable {
    case nameChanged(String)
    case ageChanged(to: Int)
}

private func makeForm() -> Store<Form> {
    Store(Form()) {
        Reduce { (form: inout Form, action: FormAction) in
            switch action {
            case .nameChanged(let name): form.name = name
            case .ageChanged(let age): form.age = age
            }
        }
    }
}

/// What SwiftUI's `@Bindable` and `Binding` do, as far as key paths go.
@dynamicMemberLookup
private struct BindableLike<Object: AnyObject & Observable> {
    let object: Object

    struct BindingLike<Value> {
        let object: Object
        let path: ReferenceWritableKeyPath<Object, Value>
        var value: Value {
            get { object[keyPath: path] }
            nonmutating set { object[keyPath: path] = newValue }
        }
    }

    subscript<Value>(
        dynamicMember path: ReferenceWritableKeyPath<Object, Value>
    ) -> BindingLike<Value> { BindingLike(object: object, path: path) }
}

@Suite(.timeLimit(.minutes(5))) struct SendingTests {
    @Test
    func `reading gives the value, assigning dispatches the action for the new one`() {
        let store = makeForm()
        let log = Log<any Action>()
        let token = store.log.attach(Observe<Form> { log.append($0.entry.action) })
        store[\.name, sending: .action(FormAction.nameChanged)] = "Ada"
        store[\.age, sending: .action(FormAction.ageChanged(to:))] = 36
        store[\.age, sending: .action { FormAction.ageChanged(to: $0 + 1) }] += 1
        #expect(store[\.name, sending: .action(FormAction.nameChanged)] == "Ada")
        #expect(store.state == Form(name: "Ada", age: 38))
        #expect(
            log.all.compactMap { $0 as? FormAction }
                == [.nameChanged("Ada"), .ageChanged(to: 36), .ageChanged(to: 38)])
        token.cancel()
    }

    @Test
    func `the entry says where the assignment stands`() {
        let store = makeForm()
        let origins = Log<ActionOrigin>()
        let token = store.log.attach(Observe<Form> { origins.append($0.entry.origin) })
        store[\.name, sending: .action(FormAction.nameChanged)] = "Ada"
        #expect(origins.all.map(\.line) == [#line - 1])
        #expect(origins.all.first?.file.hasSuffix("SendingTests.swift") == true)
        token.cancel()
    }

    @Test
    func `reading it observes the value`() async {
        let store = makeForm()
        let notified = Log<Void>()
        withObservationTracking {
            _ = store[\.name, sending: .action(FormAction.nameChanged)]
        } onChange: {
            notified.append(())
        }
        store[\.age, sending: .action(FormAction.ageChanged(to:))] = 1
        await store.waitUntilIdle()
        #expect(notified.all.isEmpty)
        store[\.name, sending: .action(FormAction.nameChanged)] = "Ada"
        await store.waitUntilIdle()
        #expect(notified.all.count == 1)
    }

    @Test @MainActor
    func `with a sender, key paths lead to it, as Bindable needs`() {
        let store = makeForm()
        let bindable = BindableLike(object: store)
        let name = bindable[\.name, sending: .action(FormAction.nameChanged)]
        let notified = Log<String>()
        withObservationTracking {
            #expect(name.value == "")
        } onChange: {
            notified.append(store.state.name)
        }
        name.value = "Ada"
        #expect(name.value == "Ada")
        #expect(notified.all == ["Ada"])
    }

    @Test
    func `a sender equals its copies, and no other`() {
        let sender = Sender<String, FormAction>.action(FormAction.nameChanged)
        let copy = sender
        #expect(sender == copy)
        #expect(Set([sender, copy]).count == 1)
        #expect(sender != .action(FormAction.nameChanged))
    }
}
