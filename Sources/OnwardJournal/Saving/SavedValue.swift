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
/// A stored value is never overwritten before it was loaded: a store that began with something else
/// instead reports that it saves nothing, until ``load()`` is called.
///
/// A value of a type that is ``SchemaVersioned`` is written with its version; an older one goes
/// through the migrations of the state when it is read.
public final class SavedValue<Value: Codable & Sendable>: Sendable {
    private let storage: any ValueStorage
    private let format: DataFormat
    private let migrations: Migrations
    /// The client's closure, and the one that replaces it if there is none.
    private let clientReport: (@Sendable (SavingError) -> Void)?
    private let storeReport = Guarded<@Sendable (SavingError) -> Void>(SavingError.print)
    private let machine = Guarded(SavingMachine<Value>())
    /// Serializes writes.
    ///
    /// Held while a value is encoded and written. It protects no data, and no other lock is held
    /// meanwhile.
    private let turn = NSLock()

    /// Creates a value in a storage.
    ///
    /// - Parameters:
    ///   - storage: Where the value is kept.
    ///   - format: How the value is written; JSON by default, so that people can read it.
    ///   - migrations: How an older form is migrated to the current schema version.
    ///   - report: Called on the thread that tried, with what was set aside and what cannot be
    ///     written; by default a line is written to standard error, or a test store fails.
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

    /// Uses a store's way to report errors if the client has none.
    func reportByDefault(to report: @escaping @Sendable (SavingError) -> Void) {
        storeReport.withValue { $0 = report }
    }

    /// Reports an error.
    func report(_ error: SavingError) {
        (clientReport ?? storeReport.withValue { $0 })(error)
    }

    // MARK: Reading

    /// Loads the saved value, or returns nil if there is none.
    ///
    /// Broken contents are reported and set aside, and count as none. Any other reason why the
    /// value cannot be read is thrown: the value may be readable next time, so it is left as it is,
    /// and nothing is written over it until a later call succeeds.
    ///
    /// - Throws: ``SavingError`` with the code ``SavingError/Code/unreadable`` if the storage
    ///   cannot be read, if a newer program wrote the value, or if a migration is missing or fails;
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

    /// Notes what happened; releases what is no longer needed outside the lock.
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

    /// Where it is kept, as far as places can be compared.
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
    /// - Returns: How long there has been an unwritten value; nil for the value that a store begins
    ///   with, which is not written.
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

    /// Writes the newest unwritten value; an error is reported, and the value stays noted.
    ///
    /// The first write of a value that was never loaded examines the existing contents first.
    ///
    /// Blocks while another thread writes, then writes whatever remains unwritten.
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

    /// Examines unread contents: they must not be lost, unless they are what the store began with.
    ///
    /// - Throws: ``SavingError`` if they can't be read now; the next write tries again.
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

    /// The storage limits the bytes, and thereby the values.
    private static var limits: DataLimits {
        DataLimits(bytes: .max, depth: .max, elements: .max)
    }

    private func encode(_ value: Value) throws -> [UInt8] {
        let schema = Int64(schemaVersion(of: Value.self))
        let form = try DataValue(encoding: value)
        // A placeholder would be read as the value at the next launch.
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

    /// Why the bytes are not a value.
    private enum Broken: Error {
        /// They never will be.
        case contents(String)
        /// They may be readable for another program, so they are left as they are.
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
