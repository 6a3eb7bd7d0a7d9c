// SPDX-License-Identifier: MIT

internal import Onward

/// A slice of a store that is saved, and where, so that no two are saved in the same place.
struct SavedSlice: FeatureExtension {
    /// The key path, as text.
    let path: String
    let steps: [PathStep]
    let place: SavingPlace
    /// What it survives once it is saved.
    let durability: Durability
    /// Has the engine of the store it is in.
    let follow: @Sendable (Engine) -> Void
    let report: @Sendable (SavingError) -> Void
    /// Saves at once, after all that was dispatched before.
    let flush: @Sendable () async throws(SavingError) -> Void

    /// What it is called in a message.
    var text: String { steps.isEmpty ? path : "\(path) at \"\(steps.text)\"" }
}

/// Where a value is kept, as far as places can be compared.
enum SavingPlace: Hashable, Sendable {
    case file(String)
    /// The storage, if it is an object; otherwise the value.
    case object(ObjectIdentifier)
}

/// The saved slices of a store, to be saved at once.
final class SavedSlices: FeaturesObserver, CommitKeeper {
    private let slices = Guarded<[SavedSlice]>([])

    var all: [SavedSlice] { slices.withValue { $0 } }

    var keepsEverything: Bool { false }
    var durability: Durability { all.map(\.durability).min() ?? .memory }

    /// Saves all of them; throws the first error, and has each other one reported.
    func flush() async throws {
        var failure: SavingError?
        for slice in all {
            do {
                try await slice.flush()
            } catch {
                if failure == nil { failure = error } else { slice.report(error) }
            }
        }
        if let failure { throw failure }
    }

    init(in engine: Engine, _ locked: borrowing Locked) {}

    /// They stay, as what could not be saved may still be.
    func end(in engine: Engine) {}

    func featuresChanged(
        to features: CompiledFeatures, in engine: Engine, _ locked: borrowing Locked
    ) -> () -> Void {
        let new = features.extensions.compactMap { $0 as? SavedSlice }
        let old = slices.withValue { slices in
            defer { slices = new }
            return slices
        }
        return {
            for slice in new { slice.follow(engine) }
            withExtendedLifetime(old) {}
        }
    }
}
