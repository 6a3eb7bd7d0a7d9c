// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore

struct ObserverListTests {
    private struct Observer: CommitObserver {
        let needs: ObserverNeeds
        func observe(_ commit: Commit<Int>) {}
    }

    private func seat(_ order: UInt64, _ needs: ObserverNeeds) -> ObserverSeat {
        let seat = ObserverSeat(Observer(needs: needs), needs: needs)
        seat.join(order: order)
        return seat
    }

    @Test func `wants what any of its observers wants, until the last of these goes`() {
        var list = ObserverList()
        #expect(list.needs == [])
        let seats = [seat(1, []), seat(4, [.time]), seat(9, [.time, .after])]
        for seat in seats { list.append(seat) }
        #expect(list.needs == [.entries, .time, .after])
        list.remove(seats[2])
        #expect(list.needs == [.entries, .time])
        list.remove(seats[2])
        #expect(list.needs == [.entries, .time])
        list.remove(seats[1])
        #expect(list.needs == [.entries])
        list.remove(seats[0])
        #expect(list.needs == [])
    }

    @Test func `keeps the order in which they came`() {
        var list = ObserverList()
        let seats = (1...50).map { seat(UInt64($0) * 3, []) }
        for seat in seats { list.append(seat) }
        for index in [0, 49, 17, 30, 1] { list.remove(seats[index]) }
        let kept = seats.indices.filter { ![0, 49, 17, 30, 1].contains($0) }
        #expect(list.seats.map(\.order) == kept.map { seats[$0].order })
    }
}
