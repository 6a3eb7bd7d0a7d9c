// SPDX-License-Identifier: MIT

/// Names of modules that rules speak of.
enum Module {
    /// Those that come with Onward under the names of other libraries.
    static let compatible: Set = [
        "ReSwift", "ReSwiftThunk", "ReSwiftThunkTesting", "ReSwiftRouter", "ReduxSwift",
    ]

    /// The names that CocoaPods makes of those of its pods, which have hyphens.
    static let ofPods = ["ReSwift_Thunk": "ReSwiftThunk", "ReSwift_Router": "ReSwiftRouter"]

    /// What the names of a module, of its folder, its target and its project have in common.
    ///
    /// A module has the name of its target, with an underscore for each character that no name in Swift may have:
    /// what stands in a folder `ReSwift-Notes` is imported as `ReSwift_Notes`, or as `ReSwiftNotes`.
    static func key(_ name: some StringProtocol) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}
