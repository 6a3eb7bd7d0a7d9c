// SPDX-License-Identifier: MIT

public import Onward

/// Saves a slice of the state when it changes, for apps that restore their last state without
/// keeping a log.
///
/// The value that the store begins with is not written. Later ones are, by an effect on the store's
/// clock: once the slice has been left alone for a moment, at the latest a while after the first
/// unsaved change; and at once when the store shuts down: `await store.shutdown()` returns
/// afterwards. Failures are reported by the ``SavedValue``, and retried with the next change.
///
/// An app may save several slices, each in its own storage. Use a `Saving` only where there is
/// always one instance: in rows, or in an optional or presented child, it is a
/// `savingWhatComesAndGoes`. Save these from their parent: `Saving(\.rows, in:)`.
public struct Saving<State: Sendable, Value: Codable & Equatable & Sendable>: Part {
    private let path: any KeyPath<State, Value> & Sendable
    private let saved: SavedValue<Value>
    private let pause: Duration
    private let longest: Duration
    private let adding: @Sendable (Value) -> Value
    /// Puts the saved value into the state that a store begins with.
    private var restore: (@Sendable (inout State) -> Void)?

    /// Saves a slice.
    ///
    /// - Parameters:
    ///   - path: The slice; any property, even a computed one.
    ///   - saved: Where the slice is kept; load it before the store is made.
    ///   - pause: How long the slice has to be left alone before it is written.
    ///   - longest: How long a change may stay unsaved if the slice is never left alone.
    ///   - adding: Adds what is saved along with it but isn't in the state; called on each write.
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

    /// Keeps a slice in a storage: the store begins with what was saved, and saves what changes.
    ///
    /// ```swift
    /// Saving(\.settings, in: .file("settings.json"))
    /// ```
    ///
    /// The storage is read when the store is made, on the thread that makes it. If nothing was
    /// saved, the store keeps its value. Broken contents are reported and set aside; those that
    /// can't be read now are reported and kept. For more control, load a ``SavedValue`` yourself.
    ///
    /// Where another program has replaced the contents meanwhile, `whenReplaced` decides.
    ///
    /// Replacement features in a running store read nothing, as the state stays. They save if the
    /// storage is empty or has that moment's state; else they report it as never loaded.
    ///
    /// - Parameters:
    ///   - path: The slice.
    ///   - storage: Where the slice is kept; a separate one for each slice and each store.
    ///   - migrations: How an older form is migrated to the current schema version.
    ///   - pause: How long the slice has to be left alone before it is written.
    ///   - longest: How long a change may stay unsaved if the slice is never left alone.
    ///   - report: Called on the thread that tried, with what cannot be read or written; by default
    ///     a line is written to standard error, or a test store fails.
    ///   - whenReplaced: Decides whose value is saved where another program has replaced the
    ///     contents. Called on the thread that saves, outside every lock. Without it this program's
    ///     value is saved, the other one is kept beside it, and that is reported.
    public init(
        _ path: any WritableKeyPath<State, Value> & Sendable, in storage: some ValueStorage,
        migrations: Migrations = Migrations(),
        after pause: Duration = .seconds(1), atLatest longest: Duration = .seconds(5),
        report: (@Sendable (SavingError) -> Void)? = nil,
        whenReplaced: (@Sendable (SavingConflict<Value>) -> SavingConflict<Value>.Winner)? = nil
    ) {
        let saved = SavedValue<Value>(
            in: storage, migrations: migrations, report: report, whenReplaced: whenReplaced)
        self.init(path, as: saved, after: pause, atLatest: longest)
        restore = { state in
            do throws(SavingError) {
                if let value = try saved.load() { state[keyPath: path] = value }
            } catch {
                saved.report(error)
            }
        }
    }

    /// Registers the saving effect.
    public func register(in registration: inout Registration<State>) {
        let (saved, pause, longest) = (saved, pause, longest)
        let slice = SavedSlice(
            path: "\(path)", steps: registration.lens.steps, place: saved.place,
            durability: saved.durability,
            follow: { saved.follow($0) }, report: { saved.report($0) },
            flush: { () async throws(SavingError) in try await saved.flush() })
        guard registration.lens.isAlwaysThere else {
            return registration.compiler.note(.savingWhatComesAndGoes(slice))
        }
        let others = registration.compiler.extensions.lazy.compactMap { $0 as? SavedSlice }
        if let first = others.first(where: { $0.place == slice.place }) {
            return registration.compiler.note(.repeatedStorage(slice, first))
        }
        registration.compiler.add(slice)
        registration.compiler.require(SavedSlices.self)
        saved.add(adding)
        saved.reportByDefault(to: registration.compiler.options.savingError)
        if let restore { registration.begin(with: restore) }
        registration.keep(while: path, { $0 }) { value, context in
            guard let waited = saved.note(value, on: context.clock) else { return .none }
            if !context.atEnd(of: saved, { saved.save() }) { saved.save() }
            return .run {
                // Cancelled by a newer value, which was noted, or by the end, which saves.
                let rest = min(pause, longest - waited)
                if rest > .zero { try await context.clock.sleep(for: rest) }
                saved.save()
            }
        }
    }
}
