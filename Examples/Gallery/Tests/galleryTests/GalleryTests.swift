// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardNavigation
import Testing

@testable import gallery

@Suite struct `A gallery` {
    @Test func `each screen has an address`() {
        for screen in [Screen.pictures, .picture(4), .search("night & day"), .search(""), .about] {
            #expect(Screen.codec.text(of: screen).map { Screen.codec.route(at: $0) } == screen)
        }
        #expect(Screen.codec.route(at: "/pictures/5") == .notFound)
    }

    @Test func `a screen is coded as its address`() throws {
        let data = try JSONEncoder().encode(NavigationAction.present(Screen.about))
        #expect(
            try JSONDecoder().decode(NavigationAction<Screen>.self, from: data) == .present(.about))
    }

    @Test func `only pictures that exist are liked`() {
        let store = Store.gallery()
        store.dispatch(GalleryAction.like(picture: 1))
        store.dispatch(GalleryAction.like(picture: -1))
        store.dispatch(GalleryAction.like(picture: 5))
        #expect(store.state.likes == [1: 1])
    }

    @Test func `pictures are found by their title`() {
        #expect(Gallery.pictures(with: "HAR") == [0, 3])
        #expect(Gallery.pictures(with: "") == Array(0..<5))
    }
}
