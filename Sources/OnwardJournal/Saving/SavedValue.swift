// SPDX-License-Identifier: MIT

internal import Foundation
internal import Onward

/// A value that outlives the program: where it is kept and how it is coded.
///
/// ```swift
/// let settings = SavedValue<Settings>(in: .file("/home/me/.config/app/settings.json"))
/// let store = Store(AppState(settings: settings.load() ?? Settings())) {
///     Saving(\.settings, as: settings)
/// }
/// ```
///
/// A value of a type that is ``SchemaVersioned`` is written with its version; an older one goes through
/// the migrations of the state when it is read.
public final class SavedValue<Value: Codable & Sendable>: Sendable {
    private let storage: any ValueStorage
    private let format: DataFormat
    private let migrations: Migrations
    private let report: @Sendable (SavingError) -> Void
    private let contents = Guarded(Contents())
    /// Makes one write happen after another; held while the storage writes, and no other lock is.
    private let turn = NSLock()

    /// What is known about the place, and what it has to be given.
    private struct Contents {
        /// Whether it holds something that cannot be read and could not be set aside.
        var isUnreadable = false
        /// What was read or written last.
        var last: [UInt8]?
        /// Whether the value that the store began with is known.
        var isBegun = false
        /// The newest value, unless it was written.
        var pending: Value?
        /// How many values were noted, and which of them was written last.
        var number: UInt64 = 0
        var written: UInt64 = 0
        /// Since when there is a value that was not written.
        var waited: (@Sendable () -> Duration)?
    }

    /// A value in a storage.
    ///
    /// - Parameters:
    ///   - storage: Where it lies.
    ///   - format: How it is written; JSON by default, so that people can read it.
    ///   - migrations: How an older form is brought to the present schema version.
    ///   - report: Called with what cannot be read or written, by the thread that tried; the default
    ///     prints a line to standard error.
    public init(
        in storage: some ValueStorage, format: DataFormat = .json,
        migrations: Migrations = Migrations(),
        report: @escaping @Sendable (SavingError) -> Void = SavingError.print
    ) {
        self.storage = storage
        self.format = format
        self.migrations = migrations
        self.report = report
    }

    /// The value as it was saved; nil where there is none, or where it cannot be read.
    ///
    /// What cannot be read is reported and set aside. Where it cannot be set aside either, it is never
    /// written over: saving is refused.
    public func load() -> Value? {
        do {
            guard let bytes = try storage.read() else { return nil }
            let value = try decode(bytes)
            contents.withValue { $0.last = bytes }
            return value
        } catch {
            let reason = (error as? SavingError)?.description ?? ActionCodec.reason(error)
            report(SavingError(.unreadable, "The saved \(Value.self) cannot be read: \(reason)"))
            setAside()
            return nil
        }
    }

    private func setAside() {
        do {
            try storage.setAside()
        } catch {
            contents.withValue { $0.isUnreadable = true }
            report(
                SavingError(
                    .unwritable,
                    """
                    The saved \(Value.self) cannot be set aside either, so it is left as it is and \
                    nothing is saved over it: \(error)
                    """))
        }
    }

    /// Notes the newest value, to be written by the next ``flush()``.
    ///
    /// - Returns: How long there has been one that was not written; nil for the one that a store
    ///   begins with, which is not.
    func note(_ value: Value, on clock: any Clock<Duration>) -> Duration? {
        let fresh = Self.stopwatch(clock)
        // Released after the lock.
        var old: Value?
        let waited: (@Sendable () -> Duration)? = contents.withValue { contents in
            guard contents.isBegun else {
                contents.isBegun = true
                return nil
            }
            old = contents.pending
            contents.pending = value
            contents.number += 1
            if old == nil { contents.waited = fresh }
            return contents.waited
        }
        withExtendedLifetime(old) {}
        return waited?()
    }

    private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
        let begin = clock.now
        return { begin.duration(to: clock.now) }
    }

    /// Writes the newest value, unless it is what was written last; an error is reported, and the value
    /// stays noted.
    ///
    /// Blocks while another thread writes.
    func flush(_ adding: (Value) -> Value = { $0 }) {
        let (value, number) = contents.withValue { contents in
            defer { contents.pending = nil }
            return (contents.pending, contents.number)
        }
        guard let value else { return }
        do {
            let bytes = try encode(adding(value))
            try turn.withLock { try write(bytes, number) }
        } catch {
            contents.withValue { if $0.pending == nil { $0.pending = value } }
            report(
                (error as? SavingError)
                    ?? SavingError(.unwritable, "The \(Value.self) cannot be saved: \(error)"))
        }
    }

    /// Called in turn; a value that was overtaken is not written.
    private func write(_ bytes: [UInt8], _ number: UInt64) throws {
        let (isUnreadable, isSaved) = contents.withValue { contents in
            (contents.isUnreadable, contents.last == bytes || contents.written > number)
        }
        if isSaved { return }
        guard !isUnreadable else {
            throw SavingError(
                .unwritable,
                "The \(Value.self) is not saved, as what was saved before cannot be read.")
        }
        try storage.write(bytes)
        contents.withValue { contents in
            contents.last = bytes
            contents.written = number
        }
    }

    // MARK: Form

    /// The storage limits the bytes.
    private static var limits: DataLimits { DataLimits(bytes: .max) }

    private func encode(_ value: Value) throws -> [UInt8] {
        let schema = Int64(schemaVersion(of: Value.self))
        return try format.bytes(
            of: .object(["schema": .integer(schema), "value": try DataValue(encoding: value)]),
            within: Self.limits)
    }

    private func decode(_ bytes: [UInt8]) throws -> Value {
        let form = try format.value(of: bytes, limits: Self.limits)
        let present = schemaVersion(of: Value.self)
        guard let schema: Int = form["schema"]?.integer(), let old = form["value"] else {
            throw SavingError(.unreadable, "it has no schema and value.")
        }
        guard schema <= present else {
            throw SavingError(
                .unreadable,
                "it has schema version \(schema), this program knows \(present). A newer one wrote it."
            )
        }
        guard let value = try migrations.apply(to: old, from: schema, to: present) else {
            throw SavingError(
                .unreadable,
                "a migration is missing from schema version \(schema) to \(present).")
        }
        return try value.decoded(as: Value.self)
    }
}
