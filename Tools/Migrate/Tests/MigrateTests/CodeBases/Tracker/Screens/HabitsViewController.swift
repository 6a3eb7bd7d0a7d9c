// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import ReSwift
import UIKit

class HabitsViewController: UITableViewController {
    var habits: [Habit] = [] {
        didSet {
            tableView.reloadData()
            if habits.isEmpty { tracking.dispatch(AddHabit(name: "Drink")) }
        }
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        tracking.subscribe(self) {
            $0.select { $0.habits }
                .skipRepeats { $0.count == $1.count }
        }
    }
}

extension HabitsViewController: StoreSubscriber {
    func newState(state: [Habit]) {
        habits = state // difficulty: dispatch-in-new-state
        state.filter { $0.done }.forEach { habit in
            tracking.dispatch(AddHabit(name: habit.id)) // difficulty: dispatch-in-new-state
        }
        DispatchQueue.main.async {
            tracking.dispatch(Tick())
        }
    }
}

class ClockView: UIView, StoreSubscriber {
    let button = UIButton()

    func attach() {
        tracking.subscribe(self) { subscription in
            subscription.select { $0.clock }.only { old, new in new.ticks % 2 == 0 }
        }
    }

    func newState(state: ClockState) {
        func finish() {
            tracking.dispatch(Tick())
        }
        button.onTap = { finish() }
        if state.ticks > 10 { finish() } // difficulty: dispatch-in-new-state
    }
}

// The same words in other types.
struct Page<Element> {
    var elements: [Element]
    func skip(when isSkipped: (Element) -> Bool) -> [Element] { elements.filter { !isSkipped($0) } }
    func only(_ isWanted: (Element) -> Bool) -> [Element] { elements.filter(isWanted) }
}
let odd = Page(elements: [1, 2, 3]).only { $0 % 2 == 1 }
let even = Page(elements: [1, 2, 3]).skip(when: { $0 % 2 == 1 })
