// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import ReSwift

typealias Action = ReSwift.Action

struct Tuner: StateType { var stations: [String] = [], volume = 0 }

final class Turn: Action { var volume = 0 } // difficulty: shared-action

struct Frame<URL> { let source: URL }

enum Wave { struct Data { let samples: [Int] } }

struct Signal { let data: Wave.Data, parts: [Data] }

extension Subscription where State == Tuner {
    var stations: Subscription<[String]> { select { $0.stations } }
}

final class Sender {
    var dispatch: DispatchFunction?

    func send() {
        let dispatch = self.dispatch
        dispatch?(Turn())
        self.dispatch?(Turn())
    }
}

final class StationList: StoreSubscriber {
    func appear(in store: Store<Tuner>) {
        store.subscribe(self) { $0.stations }
    }

    func newState(state: [String]) { print(state) }
}
