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
    var durability: Durability { storage.durability }
    private let format: DataFormat
    private let migrations: Migrations
    private let whenReplaced: (@Sendable (SavingConflict<Value>) -> SavingConflict<Value>.Winner)?
    /// The client's closure, and the one that replaces it if there is none.
    private let clientReport: (@Sendable (SavingError) -> Void)?
    private let storeReport = Guarded<@Sendable (SavingError) -> Void>(SavingError.print)
    private let machine = Guarded(SavingMachine<Value>())
    /// What the store that saves it adds to a value, and its engine.
    private let owner = Guarded(Owner())
    /// Serializes writes.
    ///
    /// Held while a value is encoded and written. It protects no data, and no other lock is held
    /// meanwhile.
    private let turn = NSLock()

    private struct Owner {
        var adding: (@Sendable (Value) -> Value)?
        weak var engine: Engine?
    }

    /// Creates a value in a storage.
    ///
    /// - Parameters:
    ///   - storage: Where the value is kept.
    ///   - format: How the value is written; JSON by default, so that people can read it.
    ///   - migrations: How an older form is migrated to the current schema version.
    ///   - report: Called on the thread that tried, with what was set aside and what cannot be
    ///     written; by default a line is written to standard error, or a test store fails.
    ///   - whenReplaced: Decides whose value is saved where another program has replaced what was
    ///     read or saved here. Called on the thread that saves, outside every lock. Without it this
    ///     program's value is saved, the other one is kept beside it, and that is reported.
    public init(
        in storage: some ValueStorage, format: DataFormat = .json,
        migrations: Migrations = Migrations(),
        report: (@Sendable (SavingError) -> Void)? = nil,
        whenReplaced: (@Sendable (SavingConflict<Value>) -> SavingConflict<Value>.Winner)? = nil
    ) {
        self.storage = storage
        self.format = format
        self.migrations = migrations
        self.whenReplaced = whenReplaced
        clientReport = report
    }

    /// Notes what is added to a value when it is saved.
    func add(_ adding: @escaping @Sendable (Value) -> Value) {
        owner.withValue { $0.adding = adding }
    }

    /// Notes the engine of the store whose changes are saved.
    func follow(_ engine: Engine) { owner.withValue { $0.engine = engine } }

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
            let (value, found) = try read()
            note { $0.read(found, obstacle: nil) }
            return value
        } catch {
            note { $0.read(nil, obstacle: error) }
            throw error
        }
    }

    /// Notes what happened; releases what is no longer needed outside the lock.
    private func note(_ event: (inout SavingMachine<Value>) -> Value?) {
        let old = machine.withValue { event(&$0) }
        withExtendedLifetime(old) {}
    }

    /// Reads the value, and the contents that stay where they are.
    private func read() throws(SavingError) -> (Value?, [UInt8]?) {
        let bytes: [UInt8]?
        do {
            bytes = try storage.read()
        } catch {
            throw unreadable("\(error)")
        }
        guard let bytes else { return (nil, nil) }
        do throws(Broken) {
            return (try decode(bytes), bytes)
        } catch {
            switch error {
            case .left(let reason): throw unreadable(reason)
            case .contents(let reason):
                try setAside(because: reason)
                return (nil, nil)
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

    private func setAside(because reason: String) throws(SavingError) {
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
    }

    // MARK: Writing

    /// Notes the newest value, to be written by the next ``write()``.
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

    /// Saves the newest value at once, and returns when the storage has it: for the moment before
    /// an app is suspended, and where something may happen only once it is saved.
    ///
    /// It includes everything that was dispatched before the call. A ``SavingFile`` and the name of
    /// the file are then on the disk, flushed by `fsync` (`F_FULLFSYNC` on Apple's systems, as far
    /// as the file system supports it): neither a crash nor a power failure takes it back. Where
    /// nothing has changed, nothing is written; if the file was deleted since, that is thrown. For all slices of a store there is
    /// `Store.flush(_:)`.
    ///
    /// - Throws: Why it could not be saved, with the code ``SavingError/Code/unwritable``; this is
    ///   not reported as well. The value stays noted, and is saved by the next attempt.
    /// - Complexity: O(size of the value), and of what the storage holds, which is compared.
    public func flush() async throws(SavingError) {
        let engine = owner.withValue { $0.engine }
        await engine?.waitUntilNotified(of: engine?.whole { $0.version } ?? 0)
        try write()
        // It may have been deleted since it was written.
        guard machine.withValue({ $0.isSaved }), try contents() == nil else { return }
        throw SavingError(
            .unwritable,
            """
            The \(Value.self) was saved, but what it was saved in is gone. It is saved again with its next change.
            """)
    }

    /// Saves the newest value; an error is reported, and the value stays noted.
    func save() {
        do {
            try write()
        } catch {
            report(error)
        }
    }

    /// Writes the newest unwritten value; on failure it stays noted.
    ///
    /// The first write of a value that was never loaded examines the existing contents first, and
    /// each write compares them with what was read or written last.
    ///
    /// Blocks while another thread writes, then writes whatever remains unwritten.
    func write() throws(SavingError) {
        var decision: Decision?
        for _ in 0..<8 {
            let conflict: (mine: Value, theirs: [UInt8])?
            do {
                conflict = try turn.withLock { try attempt(decision) }
            } catch {
                throw (error as? SavingError)
                    ?? SavingError(.unwritable, "The \(Value.self) cannot be saved: \(error)")
            }
            guard let conflict else {
                if decision != nil, whenReplaced == nil { report(replaced) }
                return
            }
            decision = try decide(conflict.mine, conflict.theirs)
        }
        throw SavingError(
            .unwritable,
            "The \(Value.self) is not saved, as another program replaces it again and again.")
    }

    /// What becomes of contents that another program wrote.
    private struct Decision {
        let theirs: [UInt8]
        let winner: SavingConflict<Value>.Winner
    }

    /// Asks the app; by default its own value wins, unless a newer program wrote the other one.
    private func decide(_ mine: Value, _ theirs: [UInt8]) throws(SavingError) -> Decision {
        var value: Value?
        do throws(Broken) {
            value = try decode(theirs)
        } catch {
            if case .left(let reason) = error, whenReplaced == nil { throw stays(reason) }
        }
        let winner = whenReplaced?(SavingConflict(mine: mine, theirs: value)) ?? .mine
        return Decision(theirs: theirs, winner: winner)
    }

    /// Makes one attempt to write; returns what another program wrote, if that wasn't decided yet.
    private func attempt(_ decision: Decision?) throws -> (mine: Value, theirs: [UInt8])? {
        guard let write = machine.withValue({ $0.begin() }) else { return nil }
        if let obstacle = machine.withValue({ $0.obstacle }) { throw stays("\(obstacle)") }
        let found = try contents()
        if machine.withValue({ !$0.isRead }) { try look(at: found) }
        if let obstacle = machine.withValue({ $0.obstacle }) { throw stays("\(obstacle)") }
        let adding = owner.withValue { $0.adding }
        let mine = adding?(write.value) ?? write.value
        var bytes = try encode(mine)
        if let found, found != bytes, machine.withValue({ $0.isReplaced(found) }) {
            guard let decision, decision.theirs == found else { return (mine, found) }
            switch decision.winner {
            case .mine:
                try storage.keepBeside(found)
                machine.withValue { $0.mayBeThere(found) }
            case .theirs:
                note { $0.succeed(write, found)?.value }
                return nil
            case .merged(let value): bytes = try encode(value)
            }
        }
        if found != bytes || machine.withValue({ !$0.isSettled(bytes) }) {
            machine.withValue { $0.mayBeThere(bytes) }
            try storage.write(bytes)
        }
        note { $0.succeed(write, bytes)?.value }
        return nil
    }

    /// What the storage holds now.
    private func contents() throws(SavingError) -> [UInt8]? {
        do {
            return try storage.read()
        } catch {
            throw stays("\(unreadable("\(error)"))")
        }
    }

    private func stays(_ reason: String) -> SavingError {
        SavingError(
            .unwritable, "The \(Value.self) is not saved, so that what is there stays. \(reason)")
    }

    private var replaced: SavingError {
        SavingError(
            .replaced,
            """
            Another program has replaced the saved \(Value.self). This program's value was saved over it, and the \
            other one is kept beside it. To decide which one is saved, give the Saving a whenReplaced.
            """)
    }

    /// Examines unread contents: they must not be lost, unless they are what the store began with.
    private func look(at bytes: [UInt8]?) throws {
        var obstacle: SavingError?
        if let bytes, try machine.withValue({ $0.beginning }).map(encode) != bytes {
            obstacle = SavingError(
                .unwritable,
                """
                It was never loaded: call load() before the store is made, and give the store what it \
                returns.
                """)
        }
        note { $0.look(bytes, obstacle: obstacle) }
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
            return try value.decoded(as: Value.self, texts: format.texts)
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
