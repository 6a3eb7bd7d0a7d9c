// SPDX-License-Identifier: MIT

import MemoryTunesViews
import SwiftUI

#if canImport(AppKit)
import AppKit
#endif

/// The game in windows: each at its own screen, all with the same cards.
@main struct MemoryTunesApp: App {
    private let store = memoryTunesStore()

    var body: some Scene {
        WindowGroup("MemoryTunes") {
            MemoryTunesWindow(store: store)
                #if canImport(AppKit)
            .onAppear {
                // A program without a bundle, as packages make, has no menu and stays behind.
                NSApplication.shared.setActivationPolicy(.regular)
                NSApplication.shared.activate()
            }
                #endif
        }
    }
}
