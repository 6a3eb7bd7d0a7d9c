// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardNavigation
import OnwardServer
import Testing

@testable import gallery

@Suite struct `A gallery` {
    @Test func `each screen has an address`() {
        for screen in [
            Screen.pictures, .picture(4), .own(0), .search("night & day"), .search(""), .about,
        ] {
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
        let store = Store.gallery(Album(Uploads()))
        store.dispatch(GalleryAction.like(picture: 1))
        store.dispatch(GalleryAction.like(picture: -1))
        store.dispatch(GalleryAction.like(picture: 5))
        #expect(store.state.likes == [1: 1])
    }

    @Test func `a picture that a visitor sends hangs on the wall, and nothing else does`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "gallery-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let uploads = Uploads(in: folder.path)
        let album = Album(uploads)
        let store = Store.gallery(album)
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 1, 2, 3]
        store.dispatch(
            GalleryAction.add(title: nil, picture: try await uploads.add(png, named: "sea.png")))
        await store.waitUntilIdle()
        let own = try #require(store.state.own.first)
        #expect(own.title == "sea")
        let file = try await album.picture(named: own.name)
        #expect(file?.asset.bytes == png && file?.asset.contentType == "image/png")
        let script = try await uploads.add(Array("<svg>".utf8), named: "evil.png")
        store.dispatch(GalleryAction.add(title: "Evil", picture: script))
        await store.waitUntilIdle()
        #expect(store.state.own.count == 1)
        #expect(store.state.trouble == "“evil.png” isn't a picture that can be shown here.")
    }

    @Test func `pictures are found by their title`() {
        #expect(Gallery.pictures(with: "HAR") == [0, 3])
        #expect(Gallery.pictures(with: "") == Array(0..<5))
    }
}
