// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import TestSupport

/// An id that dispatches when it is released, which is refused while the store's lock is held.
private final class Departing: Sendable, Hashable {
    let number: Int
    private let atEnd: @Sendable () -> Void

    init(_ number: Int, atEnd: @escaping @Sendable () -> Void = {}) {
        self.number = number
        self.atEnd = atEnd
    }

    deinit { atEnd() }

    static func == (left: Departing, right: Departing) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

private struct Guest: Identifiable, Sendable, Equatable {
    let id: Departing
    var name = ""
}

private struct Hotel: Sendable { var guests: EntityTable<Guest> = [] }

private enum HotelAction: Action { case comes(Guest), nothing }

@Suite struct RowIDReleaseTests {
    @Test(
        arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]],
        [true, false])
    func `subscribers of a row that leave have no id released under the lock`(
        order: [Int], isThere: Bool
    ) {
        let mistakes = Mistakes()
        let results = Log<DispatchResult>()
        let store = Store(Hotel(), options: mistakes.options()) {
            Reduce { (hotel: inout Hotel, action: HotelAction) in
                if case .comes(let guest) = action { hotel.guests.append(guest) }
            }
        }
        if isThere { store.dispatch(HotelAction.comes(Guest(id: Departing(7)))) }
        var tokens: [Subscription?] = (0..<3).map { _ in
            let id = Departing(7) { results.append(store.dispatch(HotelAction.nothing)) }
            return store.subscribe(.row(\.guests, id: id)) { _, _ in }
        }
        for index in order {
            tokens[index]?.cancel()
            tokens[index] = nil
        }
        #expect(results.all.count == 3)
        #expect(results.all.allSatisfy { $0.version != nil })
        #expect(mistakes.all.isEmpty)
    }
}
