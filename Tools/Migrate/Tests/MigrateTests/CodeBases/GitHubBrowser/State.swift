// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import Foundation
import ReSwift
import ReSwiftRouter

struct State: StateType, HasNavigationState {
    var navigationState: NavigationState
    var repositories: Response<[Repository]>?
    var bookmarks: Bookmarks
    var user: User?
}

struct Repository { let name: String; let stars: Int }

enum Response<Value> { case loading, value(Value), failure(Error) }

final class Bookmarks { // difficulty: shared-state
    var names: [String] = []
}

final class User: NSObject { // difficulty: shared-state
    @objc var login = ""
}

final class AvatarCache {
    var images: [String: Data] = [:]
}
