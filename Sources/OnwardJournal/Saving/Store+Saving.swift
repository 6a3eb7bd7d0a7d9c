// SPDX-License-Identifier: MIT

public import Onward

extension Store {
    /// Saves at once what every ``Saving`` of the store has to save, and returns when the storages
    /// have it: for the moment before an app is suspended.
    ///
    /// ```swift
    /// store.dispatch(OutboxAction.write("Hello"))
    /// try await store.flushSaving()         // the letter is in the file
    /// ```
    ///
    /// It includes everything that was dispatched before the call. Files are then on the disk; see
    /// ``SavedValue/flush()``.
    ///
    /// - Throws: Why one of them could not be saved, the first of them; the others are saved, and
    ///   their own errors reported.
    /// - Complexity: O(size of the slices that have changed).
    public func flushSaving() async throws(SavingError) {
        var failure: SavingError?
        for slice in engine.attached(SavedSlices.self).all {
            do {
                try await slice.flush()
            } catch {
                if failure == nil { failure = error } else { slice.report(error) }
            }
        }
        if let failure { throw failure }
    }
}
