// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import ReSwift
import UIKit

class CounterViewController: UIViewController, StoreSubscriber {
    typealias StoreSubscriberStateType = CounterState

    @IBOutlet weak var label: UILabel!
    @IBOutlet weak var alarm: UISwitch!

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        mainStore.subscribe(self) { state in state.counter } // difficulty: older-subscribe
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        mainStore.unsubscribe(self)
    }

    func newState(state: CounterState) {
        label.text = "\(state.value)" // mainStore.dispatch(Add(amount: 1)) is what the button does
        if state.value > 100 {
            mainStore.dispatch(Add(amount: -100)) // difficulty: dispatch-in-new-state
        }
    }

    @IBAction func tap(_ sender: Any) {
        mainStore.dispatch(Add(amount: mainStore.state.settings.step))
    }

    @IBAction func shake(_ sender: Any) {
        mainStore.dispatch(Shake())
    }

    @IBAction func restore(_ sender: Any) {
        mainStore.state = AppState() // difficulty: state-assignment
    }
}
