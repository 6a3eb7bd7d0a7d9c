// SPDX-License-Identifier: MIT

public import Onward

/// Saves a slice of the state when it has changed, for apps that restore their last state without keeping a
/// log.
///
/// The value that the store begins with is not written. Later ones are, once the slice has been left alone for a moment, at the latest a while after the first
/// change that was not saved, by an effect on the store's clock; and at once when the store is shut down:
/// `await store.shutdown()` returns after it was written. What fails is reported by the ``SavedValue``, and
/// tried again with the next change.
///
/// An app may save several slices, each in a storage of its own.
public struct Saving<State: Sendable, Value: Codable & Equatable & Sendable>: Part {
    private let path: any KeyPath<State, Value> & Sendable
    private let saved: SavedValue<Value>
    private let pause: Duration
    private let longest: Duration
    private let adding: @Sendable (Value) -> Value

    /// Saves a slice.
    ///
    /// - Parameters:
    ///   - path: The slice; any property, even a computed one.
    ///   - saved: Where it lies; it was loaded from there before the store was made.
    ///   - pause: How long it has to be left alone before it is written.
    ///   - longest: How long a change may stay unsaved where it is never left alone.
    ///   - adding: Adds what is saved along and is not in the state; called when the value is written.
    public init(
        _ path: any KeyPath<State, Value> & Sendable, as saved: SavedValue<Value>,
        after pause: Duration = .seconds(1), atLatest longest: Duration = .seconds(5),
        adding: @escaping @Sendable (Value) -> Value = { $0 }
    ) {
        self.path = path
        self.saved = saved
        self.pause = pause
        self.longest = longest
        self.adding = adding
    }

    /// Registers the effect that saves.
    public func register(in registration: inout Registration<State>) {
        let (saved, pause, longest, adding) = (saved, pause, longest, adding)
        registration.keep(while: path, { $0 }) { value, context in
            guard let waited = saved.note(value, on: context.clock) else { return .none }
            context.atEnd(of: saved) { saved.flush(adding) }
            return .run {
                // Cancelled by a newer value, which was noted, or by the end, which saves.
                let rest = min(pause, longest - waited)
                if rest > .zero { try await context.clock.sleep(for: rest) }
                saved.flush(adding)
            }
        }
    }
}
