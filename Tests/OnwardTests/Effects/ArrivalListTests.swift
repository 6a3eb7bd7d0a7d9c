// SPDX-License-Identifier: MIT

import Testing

@testable import OnwardEffects
@testable import TestSupport

/// The list of the effects of a lane, beside an array.
@Suite struct ArrivalListTests {
    @Test
    func `elements stand in the order of their arrival, whoever left before`() {
        var list = ArrivalList<Int>()
        #expect(list.isEmpty && list.first == nil && Array(list).isEmpty)
        let places = (0..<4).map { list.append($0) }
        list.remove(places[1])
        #expect(Array(list) == [0, 2, 3])
        list.remove(places[0])
        #expect(list.first == 2)
        list.remove(places[3])
        _ = list.append(4)
        _ = list.append(5)
        #expect(Array(list) == [2, 4, 5] && list.count == 3)
    }

    @Test(arguments: 1...20)
    func `it holds what an array holds after random arrivals and departures`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var list = ArrivalList<Int>()
        var model: [(element: Int, place: ArrivalList<Int>.Place)] = []
        for element in 0..<400 {
            if model.isEmpty || Int.random(in: 0..<5, using: &random) < 3 {
                model.append((element, list.append(element)))
            } else {
                let index = Int.random(in: model.indices, using: &random)
                list.remove(model.remove(at: index).place)
            }
            #expect(Array(list) == model.map(\.element))
            #expect(list.first == model.first?.element && list.count == model.count)
        }
    }
}
