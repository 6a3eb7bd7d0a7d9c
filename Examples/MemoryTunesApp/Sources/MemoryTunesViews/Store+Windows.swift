// SPDX-License-Identifier: MIT

import MemoryTunesCore
import Onward
import OnwardNavigation

extension Store where State == RouteTabs<Screen> {
    /// The screens over the menu in one window: reading observes them, assigning goes there.
    ///
    /// `NavigationStack(path: $windows[screensOf: window])` shows them, and assigns when the user goes back.
    subscript(screensOf window: String) -> [Screen] {
        get {
            let routes = self[\.[window], isolation: MainActor.shared]
            return Array((routes?.screens ?? []).dropFirst())
        }
        set { go(.show(RouteStack(.menu, pushed: newValue)), in: window) }
    }

    /// Moves one window.
    func go(_ action: NavigationAction<Screen>, in window: String) {
        dispatch(action, to: RouteTabs<Screen>.address(ofTab: window))
    }
}
