// SPDX-License-Identifier: MIT

internal import Foundation
internal import Onward

/// A value that outlives the program: where it is kept and how it is coded.
///
/// ```swift
/// let settings = SavedValue<Settings>(in: .file("/home/me/.config/app/settings.json"))
/// let store = Store(AppState(settings: try settings.load() ?? Settings())) {
///     Saving(\.settings, as: settings)
/// }
/// ```
///
/// What is there is never written over before it was loaded: a store that began with something else reports instead
/// that it saves nothing, until ``load()`` was called.
///
/// A value of a type that is ``SchemaVersioned`` is written with its version; an older one goes through
/// the migrations of the state when it is read.
public final class SavedValue<Value: Codable & Sendable>: Sendable {
    private let storage: any ValueStorage
    private let format: DataFormat
    private let migrations: Migrations
    /// The client's, and what takes its place where there is none.
    private let clientReport: (@Sendable (SavingError) -> Void)?
    private let storeReport = Guarded<@Sendable (SavingError) -> Void>(SavingError.print)
    private let machine = Guarded(SavingMachine<Value>())
    /// Makes one write happen after another.
    ///
    /// Held while a value is encoded and written. It guards no data, and no other lock is held meanwhile.
    private let turn = NSLock()

    /// A value in a storage.
    ///
    /// - Parameters:
    ///   - storage: Where it lies.
    ///   - format: How it is written; JSON by default, so that people can read it.
    ///   - migrations: How an older form is brought to the present schema version.
    ///   - report: Called with what was set aside and with what cannot be written, by the thread that
    ///     tried; by default a line on standard error says so, or a test store fails.
    public init(
        in storage: some ValueStorage, format: DataFormat = .json,
        migrations: Migrations = Migrations(),
        report: (@Sendable (SavingError) -> Void)? = nil
    ) {
        self.storage = storage
        self.format = format
        self.migrations = migrations
        clientReport = report
    }

    /// Has a store's own way to report errors take the place of a missing one.
    func reportByDefault(to report: @escaping @Sendable (SavingError) -> Void) {
        storeReport.withValue { $0 = report }
    }

    /// Reports an error.
    func report(_ error: SavingError) {
        (clientReport ?? storeReport.withValue { $0 })(error)
    }

    // MARK: Reading

    /// The value as it was saved; nil where there is none.
    ///
    /// Contents that are broken are reported and set aside, and count as none. Anything else that keeps the
    /// value from being read is thrown: it may be there the next time, so it is left as it is, and until a
    /// later call succeeds nothing is written over it.
    ///
    /// - Throws: ``SavingError`` with the code ``SavingError/Code/unreadable`` where the storage cannot be
    ///   read, where a newer program wrote the value, or where a migration is missing or fails;
    ///   ``SavingError/Code/broken`` for broken contents that cannot be set aside.
    public func load() throws(SavingError) -> Value? {
        do {
            let value = try read()
            note { $0.read(obstacle: nil) }
            return value
        } catch {
            note { $0.read(obstacle: error) }
            throw error
        }
    }

    /// Notes what happened; what is no longer needed is released outside the lock.
    private func note(_ event: (inout SavingMachine<Value>) -> Value?) {
        let old = machine.withValue { event(&$0) }
        withExtendedLifetime(old) {}
    }

    private func read() throws(SavingError) -> Value? {
        let bytes: [UInt8]?
        do {
            bytes = try storage.read()
        } catch {
            throw unreadable("\(error)")
        }
        guard let bytes else { return nil }
        do throws(Broken) {
            return try decode(bytes)
        } catch {
            switch error {
            case .left(let reason): throw unreadable(reason)
            case .contents(let reason): return try setAside(because: reason)
            }
        }
    }

    /// Where it lies, as far as that can be compared.
    var place: SavingPlace {
        if let file = storage as? SavingFile {
            return .file(URL(fileURLWithPath: file.path).standardizedFileURL.path)
        }
        let object = type(of: storage) is AnyClass ? storage as AnyObject : self
        return .object(ObjectIdentifier(object))
    }

    private func unreadable(_ reason: String) -> SavingError {
        SavingError(.unreadable, "The saved \(Value.self) cannot be read: \(reason)")
    }

    private func setAside(because reason: String) throws(SavingError) -> Value? {
        let broken = SavingError(.broken, "The saved \(Value.self) is broken: \(reason)")
        do {
            try storage.setAside()
        } catch {
            throw SavingError(
                .broken,
                """
                \(broken) It cannot be set aside either, so it is left as it is and nothing is saved over \
                it: \(error)
                """)
        }
        report(broken)
        return nil
    }

    // MARK: Writing

    /// Notes the newest value, to be written by the next ``flush(_:)``.
    ///
    /// - Returns: How long there has been one that was not written; nil for the one that a store
    ///   begins with, which is not.
    func note(_ value: Value, on clock: any Clock<Duration>) -> Duration? {
        let fresh = Self.stopwatch(clock)
        var old: SavingMachine<Value>.Write?
        let waited = machine.withValue { $0.note(value, stopwatch: fresh, old: &old) }
        withExtendedLifetime(old) {}
        return waited?()
    }

    private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
        let begin = clock.now
        return { begin.duration(to: clock.now) }
    }

    /// Writes the newest value that was not written; an error is reported, and the value stays noted.
    ///
    /// The first write of a value that was never loaded looks at what is there before.
    ///
    /// Blocks while another thread writes, and then writes what is still left to be written.
    func flush(_ adding: (Value) -> Value = { $0 }) {
        do {
            try turn.withLock {
                guard let write = machine.withValue({ $0.begin() }) else { return }
                if machine.withValue({ !$0.isRead }) { try look() }
                if let obstacle = machine.withValue({ $0.obstacle }) {
                    throw SavingError(
                        .unwritable,
                        "The \(Value.self) is not saved, so that what is there stays. \(obstacle)")
                }
                try storage.write(try encode(adding(write.value)))
                let old = machine.withValue { $0.succeed(write) }
                withExtendedLifetime(old) {}
            }
        } catch {
            report(
                (error as? SavingError)
                    ?? SavingError(.unwritable, "The \(Value.self) cannot be saved: \(error)"))
        }
    }

    /// Looks at what is there, which nobody has read: it must not be lost, unless it is what the store began with.
    ///
    /// - Throws: ``SavingError`` where it can't be read now; the next write tries again.
    private func look() throws {
        let bytes: [UInt8]?
        do {
            bytes = try storage.read()
        } catch {
            throw SavingError(
                .unwritable,
                """
                The \(Value.self) is not saved, so that what is there stays. \
                \(unreadable("\(error)"))
                """)
        }
        var obstacle: SavingError?
        if let bytes, try machine.withValue({ $0.beginning }).map(encode) != bytes {
            obstacle = SavingError(
                .unwritable,
                """
                It was never loaded: call load() before the store is made, and give the store what it \
                returns.
                """)
        }
        note { $0.look(obstacle: obstacle) }
    }

    // MARK: Form

    /// The storage limits the bytes, and with them the values.
    private static var limits: DataLimits {
        DataLimits(bytes: .max, depth: .max, elements: .max)
    }

    private func encode(_ value: Value) throws -> [UInt8] {
        let schema = Int64(schemaVersion(of: Value.self))
        let form = try DataValue(encoding: value)
        // A placeholder would be read as the value at the next start.
        guard form == (try DataValue(revealing: value)) else {
            throw SavingError(
                .unwritable,
                """
                The \(Value.self) is not saved, as it holds a Redacted value, which would be there for all to read. \
                Save the other values alone, and keep the secret where secrets are kept, such as a keychain.
                """)
        }
        return try format.bytes(
            of: .object(["schema": .integer(schema), "value": form]), within: Self.limits)
    }

    /// Why bytes are not the value.
    private enum Broken: Error {
        /// They will never be.
        case contents(String)
        /// They may be for another program, so they are left as they are.
        case left(String)
    }

    private func decode(_ bytes: [UInt8]) throws(Broken) -> Value {
        let form: DataValue
        do {
            form = try format.value(of: bytes, limits: Self.limits)
        } catch {
            throw .contents("\(error).")
        }
        guard let schema: Int = form["schema"]?.integer(), let old = form["value"] else {
            throw .contents("It has no schema and value.")
        }
        let value = try migrated(old, from: schema)
        do {
            return try value.decoded(as: Value.self)
        } catch {
            throw .contents("\(ActionCodec.reason(error)).")
        }
    }

    private func migrated(_ old: DataValue, from schema: Int) throws(Broken) -> DataValue {
        let present = schemaVersion(of: Value.self)
        guard schema <= present else {
            throw .left(
                "It has schema version \(schema), this program knows \(present). A newer one wrote it."
            )
        }
        let value: DataValue?
        do {
            value = try migrations.apply(to: old, from: schema, to: present)
        } catch {
            throw .left("A migration failed: \(error)")
        }
        guard let value else {
            throw .left("A migration is missing from schema version \(schema) to \(present).")
        }
        return value
    }
}
