// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore

struct ObserverListTests {
    private struct Observer: CommitObserver {
        let needs: ObserverNeeds
        func observe(_ commit: Commit<Int>) {}
    }

    private func registration(_ order: UInt64, _ needs: ObserverNeeds) -> ObserverRegistration {
        let registration = ObserverRegistration(Observer(needs: needs), needs: needs)
        registration.join(order: order)
        return registration
    }

    @Test func `wants what any of its observers wants, until the last of these goes`() {
        var list = ObserverList()
        #expect(list.needs == [])
        let registrations = [
            registration(1, []), registration(4, [.time]), registration(9, [.time, .after]),
        ]
        for registration in registrations { list.append(registration) }
        #expect(list.needs == [.entries, .time, .after])
        list.remove(registrations[2])
        #expect(list.needs == [.entries, .time])
        list.remove(registrations[2])
        #expect(list.needs == [.entries, .time])
        list.remove(registrations[1])
        #expect(list.needs == [.entries])
        list.remove(registrations[0])
        #expect(list.needs == [])
    }

    @Test func `keeps the order in which they came`() {
        var list = ObserverList()
        let registrations = (1...50).map { registration(UInt64($0) * 3, []) }
        for registration in registrations { list.append(registration) }
        for index in [0, 49, 17, 30, 1] { list.remove(registrations[index]) }
        let kept = registrations.indices.filter { ![0, 49, 17, 30, 1].contains($0) }
        #expect(list.registrations.map(\.order) == kept.map { registrations[$0].order })
    }
}
