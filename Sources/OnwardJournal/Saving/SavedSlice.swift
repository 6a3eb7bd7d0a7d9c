// SPDX-License-Identifier: MIT

internal import Onward

/// A slice of a store that is saved, and where, so that no two are saved in the same place.
struct SavedSlice: FeatureExtension {
    /// The key path, as text.
    let path: String
    let steps: [PathStep]
    let place: SavingPlace

    /// What it is called in a message.
    var text: String { steps.isEmpty ? path : "\(path) at \"\(steps.text)\"" }
}

/// Where a value is kept, as far as places can be compared.
enum SavingPlace: Hashable, Sendable {
    case file(String)
    /// The storage, if it is an object; otherwise the value.
    case object(ObjectIdentifier)
}
