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
/// An app may save several slices, each in a storage of its own. A `Saving` stands where there is always one instance:
/// not in rows, and not in a child that is optional or presented, where it is a `savingWhatComesAndGoes`. Save these at
/// their parent, `Saving(\.rows, in:)`.
public struct Saving<State: Sendable, Value: Codable & Equatable & Sendable>: Part {
    private let path: any KeyPath<State, Value> & Sendable
    private let saved: SavedValue<Value>
    private let pause: Duration
    private let longest: Duration
    private let adding: @Sendable (Value) -> Value
    /// Puts what was saved into the state that a store begins with.
    private var restore: (@Sendable (inout State) -> Void)?

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

    /// Keeps a slice in a storage: the store begins with what was saved there, and saves what changes.
    ///
    /// ```swift
    /// Saving(\.settings, in: .file("settings.json"))
    /// ```
    ///
    /// The storage is read when the store is made, by the thread that makes it. Where nothing was saved, the store
    /// begins with the value that it was given. What is broken is reported and set aside; what cannot be read now
    /// is reported, and nothing is written over it. To have a say in that, load a ``SavedValue`` yourself.
    ///
    /// Features that replace others in a running store read nothing, as the state stays. They save where the storage has what
    /// the state is at that moment, or nothing; else they report that it was never loaded.
    ///
    /// - Parameters:
    ///   - path: The slice.
    ///   - storage: Where it lies; one for each slice, and for each of several stores.
    ///   - migrations: How an older form is brought to the present schema version.
    ///   - pause: How long it has to be left alone before it is written.
    ///   - longest: How long a change may stay unsaved where it is never left alone.
    ///   - report: Called with what cannot be read or written, by the thread that tried; by default a line on
    ///     standard error says so, or a test store fails.
    public init(
        _ path: any WritableKeyPath<State, Value> & Sendable, in storage: some ValueStorage,
        migrations: Migrations = Migrations(),
        after pause: Duration = .seconds(1), atLatest longest: Duration = .seconds(5),
        report: (@Sendable (SavingError) -> Void)? = nil
    ) {
        let saved = SavedValue<Value>(in: storage, migrations: migrations, report: report)
        self.init(path, as: saved, after: pause, atLatest: longest)
        restore = { state in
            do throws(SavingError) {
                if let value = try saved.load() { state[keyPath: path] = value }
            } catch {
                saved.report(error)
            }
        }
    }

    /// Registers the effect that saves.
    public func register(in registration: inout Registration<State>) {
        let slice = SavedSlice(path: "\(path)", steps: registration.lens.steps, place: saved.place)
        guard registration.lens.isAlwaysThere else {
            return registration.compiler.note(.savingWhatComesAndGoes(slice))
        }
        let others = registration.compiler.extensions.lazy.compactMap { $0 as? SavedSlice }
        if let first = others.first(where: { $0.place == slice.place }) {
            return registration.compiler.note(.repeatedStorage(slice, first))
        }
        registration.compiler.add(slice)
        saved.reportByDefault(to: registration.compiler.options.savingError)
        if let restore { registration.begin(with: restore) }
        let (saved, pause, longest, adding) = (saved, pause, longest, adding)
        registration.keep(while: path, { $0 }) { value, context in
            guard let waited = saved.note(value, on: context.clock) else { return .none }
            if !context.atEnd(of: saved, { saved.flush(adding) }) { saved.flush(adding) }
            return .run {
                // Cancelled by a newer value, which was noted, or by the end, which saves.
                let rest = min(pause, longest - waited)
                if rest > .zero { try await context.clock.sleep(for: rest) }
                saved.flush(adding)
            }
        }
    }
}
