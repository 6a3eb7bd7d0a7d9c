// SPDX-License-Identifier: MIT

/// Names of modules that rules speak of.
enum Module {
    /// Those that come with Onward under the names of other libraries.
    static let compatible: Set = [
        "ReSwift", "ReSwiftThunk", "ReSwiftThunkTesting", "ReSwiftRouter", "ReduxSwift",
    ]
}
