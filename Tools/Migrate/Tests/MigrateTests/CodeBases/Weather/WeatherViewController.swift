// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import ReSwift
import UIKit

final class WeatherViewController: UIViewController {
    private let store = WeatherCore.shared.store!
    private let list = UITableView()

    override func viewDidLoad() {
        super.viewDidLoad()
        store.subscribe(self) {
            $0.select { $0.degrees }.skipRepeats(isClose)
        }
    }

    private func isClose(_ a: Double?, _ b: Double?) -> Bool { a == b }

    @objc private func refresh() {
        store.dispatch(Ask(city: "Ulm"))
    }
}

extension WeatherViewController: StoreSubscriber {
    typealias StoreSubscriberStateType = Double?

    func newState(state: Double?) {
        UIView.animate(withDuration: 0.3, animations: {
            self.list.alpha = 1
        }, completion: { _ in
            self.store.dispatch(Ask(city: "after the animation"))
        })
        guard state == nil else { return }
        askAgain() // difficulty: dispatch-in-new-state
    }

    private func askAgain() {
        if view.window != nil { refresh() }
    }
}

final class Ticker: NSObject, StoreSubscriber {
    var onChange: ((WeatherState) -> Void)?

    func newState(state: WeatherState) {
        if state.degrees == nil, let store = WeatherCore.shared.store {
            [Ask(city: "a"), Ask(city: "b")].forEach(store.dispatch) // difficulty: dispatch-in-new-state
        }
        onChange?(state)
    }
}
