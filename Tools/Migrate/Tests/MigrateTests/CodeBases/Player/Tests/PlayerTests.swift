// SPDX-License-Identifier: MIT
// swift-format-ignore-file

@testable import Player
@testable import ReSwift
import XCTest

final class PlayerTests: XCTestCase {
    func testStops() {
        let store = PlayerStore(reducer: { _, state in state ?? PlayerState() }, state: nil)
        store.dispatch(PlayerAction.stop)
        XCTAssertNil(store.state.track)
    }
}
