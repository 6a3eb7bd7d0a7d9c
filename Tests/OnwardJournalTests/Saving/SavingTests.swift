// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardTesting
import Testing

@testable import OnwardJournal

struct SavingTests {
    /// A storage in memory that may fail.
    private final class MemoryStorage: ValueStorage {
        let contents = Guarded<[UInt8]?>(nil)
        let writes = Guarded(0)
        let isFull = Guarded(false)
        let isLocked = Guarded(false)
        let written = Signal()

        func read() throws -> [UInt8]? {
            if isLocked.withValue({ $0 }) { throw SavingError(.unreadable, "The disk is locked.") }
            return contents.withValue { $0 }
        }

        func write(_ bytes: [UInt8]) throws {
            if isFull.withValue({ $0 }) { throw SavingError(.unwritable, "The disk is full.") }
            writes.withValue { $0 += 1 }
            contents.withValue { $0 = bytes }
            written.give()
        }

        var text: String? { contents.withValue { $0 }.map { String(decoding: $0, as: UTF8.self) } }
    }

    private let clock = ManualClock()
    private let storage = MemoryStorage()
    private let reports = Reports()

    /// Says that something has happened.
    private final class Signal: Sendable {
        private let (given, continuation) = AsyncStream.makeStream(of: Void.self)

        func give() { continuation.yield() }
        func wait() async { for await _ in given { return } }
    }

    private final class Reports: Sendable {
        let lines = Guarded<[String]>([])
        private let added = Signal()

        @Sendable
        func add(_ error: SavingError) {
            lines.withValue { $0.append(error.description) }
            added.give()
        }

        /// Waits until something was reported.
        func wait() async { await added.wait() }
    }

    private func saved() -> SavedValue<Basket> {
        SavedValue(in: storage, report: reports.add)
    }

    private func makeStore(_ saved: SavedValue<Basket>) -> Store<Shop> {
        let basketNow = (try? saved.load()) ?? Basket()
        return Store(Shop(left: basketNow), options: StoreOptions(clock: clock)) {
            Scope(\.left, basket)
            Saving(\.left, as: saved, after: .seconds(1))
        }
    }

    private func left(_ store: Store<Shop>) -> Store<Basket> { store.scoped(to: \.left) }

    @Test func `saves once after the last of several changes`() async {
        let store = makeStore(saved())
        for name in ["a", "b", "c"] {
            left(store).dispatch(add(name))
            await clock.sleepers(1)
        }
        await clock.sleeper(until: .seconds(1))
        clock.advance(by: .seconds(1))
        await store.shutdown()
        #expect(storage.text == #"{"schema":1,"value":{"items":["a","b","c"],"total":3}}"#)
        #expect(storage.writes.withValue { $0 } == 1)
    }

    @Test func `a value that keeps changing is saved after a while`() async {
        let store = makeStore(saved())
        for second in 1...7 {
            left(store).dispatch(add("\(second)"))
            await clock.sleeper(until: .milliseconds(900 * (second - 1)) + .seconds(1))
            clock.advance(by: .milliseconds(900))
            if second == 5 { break }
        }
        // 4.5 seconds have gone by; the change at 3.6 may wait until 5.
        left(store).dispatch(add("6"))
        await clock.sleeper(until: .seconds(5))
        #expect(storage.text == nil)
        clock.advance(by: .milliseconds(500))
        await storage.written.wait()
        #expect(storage.text?.contains(#""6""#) == true)
        await store.shutdown()
        #expect(storage.writes.withValue { $0 } == 1)
    }

    private func makeStoreInOneLine() -> Store<Shop> {
        Store(Shop(), options: StoreOptions(clock: clock)) {
            Scope(\.left, basket)
            Saving(\.left, in: storage, report: reports.add)
        }
    }

    @Test func `in one line, a store begins with what the last one saved`() async {
        let first = makeStoreInOneLine()
        #expect(first.state.left == Basket())
        left(first).dispatch(add("a"))
        await first.shutdown()
        let second = makeStoreInOneLine()
        #expect(second.state.left.items == ["a"])
        #expect(second.log.version == 0)
        await second.shutdown()
        #expect(storage.writes.withValue { $0 } == 1)
        #expect(reports.lines.withValue { $0 }.isEmpty)
    }

    @Test func `in one line, what cannot be read is reported and not written over`() async {
        let newer = Array(#"{"schema":99,"value":{}}"#.utf8)
        storage.contents.withValue { $0 = newer }
        let store = makeStoreInOneLine()
        #expect(store.state.left == Basket())
        #expect(reports.lines.withValue { $0 }.count == 1)
        left(store).dispatch(add("a"))
        await store.shutdown()
        #expect(storage.contents.withValue { $0 } == newer)
    }

    @Test func `in one line, other features of a running store leave the state alone`() async {
        let store = makeStoreInOneLine()
        left(store).dispatch(add("a"))
        let storage = storage
        store.log.replaceFeatures {
            Scope(\.left, basket)
            Saving(\.left, in: storage)
        }
        #expect(store.state.left.items == ["a"])
        await store.shutdown()
    }

    #if Testing
    @Test func `a test store begins with what was saved, too`() async {
        storage.contents.withValue {
            $0 = Array(#"{"schema":1,"value":{"items":["a"],"total":1}}"#.utf8)
        }
        let storage = storage
        let store = TestStore(Shop()) {
            Scope(\.left, basket)
            Saving(\.left, in: storage)
        }
        #expect(store.state.left.items == ["a"])
        await store.finish()
    }
    #endif

    @Test func `in one line, an older form goes through the migrations`() async {
        struct Settings: Codable, Equatable, Sendable, SchemaVersioned {
            var theme = "light"
            static var schemaVersion: Int { 2 }
        }
        struct App: Sendable { var settings = Settings() }
        storage.contents.withValue {
            $0 = Array(#"{"schema":1,"value":{"colour":"dark"}}"#.utf8)
        }
        var migrations = Migrations()
        migrations.state(from: 1) { ["theme": $0["colour"] ?? ""] }
        let store = Store(App()) {
            Saving(\.settings, in: storage, migrations: migrations, report: reports.add)
        }
        #expect(store.state.settings.theme == "dark")
        await store.shutdown()
        #expect(reports.lines.withValue { $0.isEmpty })
    }

    /// A store that begins with an empty basket, whatever was saved.
    private func makeStoreWithoutLoading(_ saved: SavedValue<Basket>) -> Store<Shop> {
        Store(Shop(), options: StoreOptions(clock: clock)) {
            Scope(\.left, basket)
            Saving(\.left, as: saved, after: .seconds(1))
        }
    }

    @Test func `what was never loaded is not written over, and load() ends that`() async throws {
        let old = Array(#"{"schema":1,"value":{"items":["precious"],"total":1}}"#.utf8)
        storage.contents.withValue { $0 = old }
        let saved = saved()
        let first = makeStoreWithoutLoading(saved)
        left(first).dispatch(add("a"))
        await first.shutdown()
        #expect(storage.contents.withValue { $0 } == old)
        #expect(
            reports.lines.withValue { $0 } == [
                """
                The Basket is not saved, so that what is there stays. It was never loaded: call load() before \
                the store is made, and give the store what it returns.
                """
            ])
        #expect(try saved.load()?.items == ["precious"])
        let second = makeStoreWithoutLoading(saved)
        left(second).dispatch(add("b"))
        await second.shutdown()
        #expect(storage.text?.contains(#"["b"]"#) == true)
        #expect(reports.lines.withValue { $0.count } == 1)
    }

    @Test func `where nothing was saved, nothing has to be loaded`() async {
        let store = makeStoreWithoutLoading(saved())
        left(store).dispatch(add("a"))
        await store.shutdown()
        #expect(storage.text?.contains(#"["a"]"#) == true)
        #expect(reports.lines.withValue { $0.isEmpty })
    }

    @Test func `what the store began with may be written over, whoever has read it`() async {
        storage.contents.withValue {
            $0 = Array(#"{"schema":1,"value":{"items":[],"total":0}}"#.utf8)
        }
        let store = makeStoreWithoutLoading(saved())
        left(store).dispatch(add("a"))
        await store.shutdown()
        #expect(storage.text?.contains(#"["a"]"#) == true)
        #expect(reports.lines.withValue { $0.isEmpty })
    }

    @Test func `what was never loaded and can't be looked at now is left until it can be`() async {
        storage.isLocked.withValue { $0 = true }
        let saved = saved()
        let first = makeStoreWithoutLoading(saved)
        left(first).dispatch(add("a"))
        await first.shutdown()
        #expect(storage.text == nil)
        #expect(
            reports.lines.withValue { $0 } == [
                """
                The Basket is not saved, so that what is there stays. The saved Basket cannot be read: \
                The disk is locked.
                """
            ])
        storage.isLocked.withValue { $0 = false }
        let second = makeStoreWithoutLoading(saved)
        left(second).dispatch(add("b"))
        await second.shutdown()
        #expect(storage.text?.contains(#"["b"]"#) == true)
    }

    @Test func `what the store begins with is not written`() async {
        let store = makeStore(saved())
        await store.shutdown()
        #expect(storage.text == nil)
    }

    @Test func `what is not in the state is added when the value is written`() async {
        let price = Guarded(1)
        let saved = saved()
        let store = Store(Shop(), options: StoreOptions(clock: clock)) {
            Scope(\.left, basket)
            Saving(\.left, as: saved) { basket in
                var basket = basket
                basket.total = price.withValue { $0 }
                return basket
            }
        }
        left(store).dispatch(add("a", 5))
        price.withValue { $0 = 9 }
        await store.shutdown()
        #expect(storage.text?.contains(#""total":9"#) == true)
    }

    @Test func `a handler that is notified of an error may save again`() async {
        storage.isFull.withValue { $0 = true }
        let storage = storage
        let store = Guarded<Store<Shop>?>(nil)
        let saved = SavedValue<Basket>(in: storage) { _ in
            storage.isFull.withValue { $0 = false }
            store.withValue { $0 }?.scoped(to: \.left).dispatch(add("again"), isolation: nil)
        }
        let running = makeStore(saved)
        store.withValue { $0 = running }
        left(running).dispatch(add("a"))
        await clock.sleeper(until: .seconds(1))
        clock.advance(by: .seconds(1))
        await clock.sleeper(until: .seconds(2))
        clock.advance(by: .seconds(1))
        await storage.written.wait()
        #expect(storage.text?.contains(#"["a","again"]"#) == true)
        store.withValue { $0 = nil }
        await running.shutdown()
    }

    @Test func `several slices are saved, each in its own storage`() async throws {
        let (first, second) = (storage, MemoryStorage())
        let left = SavedValue<Basket>(in: first, report: reports.add)
        let right = SavedValue<Basket>(in: second, report: reports.add)
        func store() throws -> Store<Shop> {
            Store(
                Shop(left: try left.load() ?? Basket(), right: try right.load() ?? Basket()),
                options: StoreOptions(clock: clock)
            ) {
                Scope(\.left, basket)
                Scope(\.right, basket)
                Saving(\.left, as: left)
                Saving(\.right, as: right)
            }
        }
        let running = try store()
        running.scoped(to: \.left).dispatch(add("l"))
        running.scoped(to: \.right).dispatch(add("r"))
        await running.shutdown()
        #expect(first.text?.contains(#"["l"]"#) == true)
        #expect(second.text?.contains(#"["r"]"#) == true)
        #expect(try store().state == running.state)
    }

    @Test func `is loaded again by the next start`() async {
        let store = makeStore(saved())
        left(store).dispatch(add("a"))
        await store.shutdown()
        #expect(makeStore(saved()).state.left.items == ["a"])
    }

    @Test func `the end of a store saves what was not saved yet`() async {
        let store = makeStore(saved())
        left(store).dispatch(add("late"))
        await clock.sleepers(1)
        await store.shutdown()
        #expect(storage.text?.contains("late") == true)
    }

    @Test func `the end of a store saves what another thread has still to notify`() async {
        let store = makeStore(saved())
        let left = left(store)
        let (entered, leave) = (Signal(), DispatchSemaphore(value: 0))
        let token = store.subscribe(\.left.items.count, isolation: nil) { old, _ in
            guard old == 0 else { return }
            entered.give()
            leave.wait()
        }
        Thread.detachNewThread { left.dispatch(add("first"), isolation: nil) }
        await entered.wait()
        left.dispatch(add("late"))
        let end = Task { await store.shutdown() }
        while left.dispatch(BasketAction.discount(0)).version != nil { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        leave.signal()
        _ = await end.value
        #expect(storage.text?.contains("late") == true)
        token.cancel()
    }

    @Test func `the end of a store saves a first change that is notified after the last dispatch`()
        async throws
    {
        let store = makeStore(saved())
        let left = left(store)
        let (entered, leave) = (Signal(), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            store.batch {
                left.dispatch(add("first"), isolation: nil)
                entered.give()
                leave.wait()
            }
        }
        await entered.wait()
        let end = Task { await store.shutdown() }
        while left.dispatch(add("more")) != .refused(.shutDown) { await Task.yield() }
        leave.signal()
        _ = await end.value
        #expect(try saved().load() == store.state.left)
    }

    @Test func `broken contents that cannot be set aside are thrown and never written over`()
        async
    {
        storage.contents.withValue { $0 = Array("{broken".utf8) }
        let saved = saved()
        let error = #expect(throws: SavingError.self) { try saved.load() }
        #expect(error?.code == .broken)
        #expect(
            error?.description.hasPrefix("The saved Basket is broken: The text is not JSON") == true
        )
        let store = makeStore(saved)
        left(store).dispatch(add("a"))
        await store.shutdown()
        #expect(storage.text == "{broken")
        #expect(
            reports.lines.withValue { $0.first }?.hasPrefix(
                "The Basket is not saved, so that what is there stays.") == true)
    }

    @Test func `a secret is not saved as its placeholder, which would come back as the secret`() {
        struct Account: Codable, Equatable, Sendable {
            var name = ""
            var token = Redacted("")
        }
        let account = SavedValue<Account>(in: storage, report: reports.add)
        _ = account.note(Account(), on: clock)
        _ = account.note(Account(name: "ann", token: Redacted("secret")), on: clock)
        account.save()
        #expect(storage.text == nil)
        #expect(
            reports.lines.withValue { $0 } == [
                """
                The Account is not saved, as it holds a Redacted value, which would be there for all to read. Save \
                the other values alone, and keep the secret where secrets are kept, such as a keychain.
                """
            ])
    }

    @Test func `a failed write is reported, and tried again with the next change`() async {
        storage.isFull.withValue { $0 = true }
        let store = makeStore(saved())
        left(store).dispatch(add("a"))
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        await reports.wait()
        storage.isFull.withValue { $0 = false }
        left(store).dispatch(add("b"))
        await store.shutdown()
        #expect(storage.text?.contains(#"["a","b"]"#) == true)
        #expect(reports.lines.withValue { $0 } == ["The disk is full."])
    }

    @Test func `a value that could not be read again is reported, and what is there stays`()
        async throws
    {
        indirect enum Deep: Codable, Equatable, Sendable {
            case end
            case more(Deep)
        }
        struct Well: Sendable { var deep: Deep }
        struct Dig: Action {}
        let old = Array(#"{"schema":1,"value":{"end":{}}}"#.utf8)
        storage.contents.withValue { $0 = old }
        let saved = SavedValue<Deep>(in: storage, report: reports.add)
        let store = Store(Well(deep: try saved.load() ?? .more(.end))) {
            Reduce { (well: inout Well, _: Dig) in
                for _ in 0..<70 { well.deep = .more(well.deep) }
            }
            Saving(\.deep, as: saved)
        }
        store.dispatch(Dig())
        await store.shutdown()
        #expect(storage.contents.withValue { $0 } == old)
        #expect(reports.lines.withValue { $0.first }?.contains("deeper than 128 levels") == true)
    }

    @Test func `an older form goes through the migrations, a newer one is thrown and stays`() throws
    {
        struct Settings: Codable, Sendable, SchemaVersioned {
            var theme = ""
            static var schemaVersion: Int { 2 }
        }
        var migrations = Migrations()
        migrations.state(from: 1) { ["theme": $0["colour"] ?? ""] }
        storage.contents.withValue {
            $0 = Array(#"{"schema":1,"value":{"colour":"dark"}}"#.utf8)
        }
        let settings = SavedValue<Settings>(
            in: storage, migrations: migrations, report: reports.add)
        #expect(try settings.load()?.theme == "dark")
        for (contents, reason) in [
            (#"{"schema":3,"value":{}}"#, "A newer one wrote it."),
            (#"{"schema":0,"value":{}}"#, "A migration is missing from schema version 0 to 2."),
        ] {
            storage.contents.withValue { $0 = Array(contents.utf8) }
            let error = #expect(throws: SavingError.self) { try settings.load() }
            #expect(error?.code == .unreadable)
            #expect(error?.description.contains(reason) == true)
            #expect(storage.text == contents)
        }
        #expect(reports.lines.withValue { $0.isEmpty })
    }
}

struct SavingFileTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("saving-\(UUID().uuidString)").path

    @Test func `a file is replaced whole, in a folder that is made`() throws {
        let file = SavingFile(folder + "/deep/settings.json")
        #expect(try file.read() == nil)
        try file.write([1, 2, 3])
        try file.write([4])
        #expect(try file.read() == [4])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder + "/deep")
                == ["settings.json"])
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func `what a stopped program left is removed by its age, what is being written is not`()
        throws
    {
        let (manager, file) = (FileManager.default, SavingFile(folder + "/settings.json"))
        try file.write([1])
        // Written by the first process of two containers.
        let fresh = ["settings.json.saving-1-5E3A90C1", "settings.json.saving-x"]
        let others = ["other.json.saving-1", "settings.json.broken-1"]
        let left = ["settings.json.saving-1-00000000", "settings.json.saving-9"]
        for name in fresh + others + left {
            #expect(manager.createFile(atPath: "\(folder)/\(name)", contents: nil))
        }
        for name in others + left {
            try manager.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -3_700)],
                ofItemAtPath: "\(folder)/\(name)")
        }
        #expect(try file.read() == [1])
        #expect(
            Set(try manager.contentsOfDirectory(atPath: folder))
                == Set(fresh + others + ["settings.json"]))
        try manager.removeItem(atPath: folder)
    }

    @Test func `a file that cannot be read now is not set aside, and nothing is written over it`()
        throws
    {
        let manager = FileManager.default
        try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/settings.json"
        try Data(#"{"schema":1,"value":42}"#.utf8).write(to: URL(fileURLWithPath: path))
        let reports = Guarded<[String]>([])
        let saved = SavedValue<Int>(
            in: SavingFile(path, limit: 4),
            report: { error in reports.withValue { $0.append(error.description) } })
        let error = #expect(throws: SavingError.self) { try saved.load() }
        #expect(error?.code == .unreadable)
        #expect(try manager.contentsOfDirectory(atPath: folder) == ["settings.json"])
        _ = saved.note(1, on: ContinuousClock())
        _ = saved.note(7, on: ContinuousClock())
        saved.save()
        #expect(try SavedValue<Int>(in: SavingFile(path)).load() == 42)
        #expect(reports.withValue { $0.count } == 1)
        try manager.removeItem(atPath: folder)
    }

    @Test func `what is no plain file is left alone`() throws {
        let file = SavingFile("/dev/full")
        #expect(throws: SavingError.self) { try file.read() }
        #expect(throws: SavingError.self) { try file.setAside() }
        // Not with the device itself, which a program with all rights could replace.
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try #require(mkfifo(folder + "/pipe", 0o600) == 0)
        let pipe = SavingFile(folder + "/pipe")
        for body in [{ _ = try pipe.read() }, { try pipe.write([1]) }, { try pipe.setAside() }] {
            let error = #expect(throws: SavingError.self) { try body() }
            #expect(error?.description == "\(folder)/pipe is no plain file.")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["pipe"])
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func `a write that fails leaves nothing, and says why`() throws {
        let manager = FileManager.default
        try manager.createDirectory(
            atPath: folder + "/settings.json", withIntermediateDirectories: true)
        #expect {
            try SavingFile(folder + "/settings.json").write([1])
        } throws: {
            "\($0)" == "\(folder)/settings.json is no plain file."
                && ($0 as? SavingError)?.code.description == "unwritable"
        }
        #expect(try manager.contentsOfDirectory(atPath: folder) == ["settings.json"])
        try manager.removeItem(atPath: folder)
    }

    @Test func `a private file can be read by its owner only`() throws {
        let file = SavingFile(folder + "/secret.json", isPrivate: true)
        for _ in 0..<2 {
            try file.write([1])
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func `a broken file is renamed, each one apart`() throws {
        let file = SavingFile(folder + "/settings.json")
        for _ in 0..<2 {
            try file.write([7])
            try file.setAside()
        }
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: folder))
                == ["settings.json.broken-1", "settings.json.broken-2"])
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func `a folder or a file that is too large is refused`() throws {
        try FileManager.default.createDirectory(
            atPath: folder + "/settings.json", withIntermediateDirectories: true)
        #expect(throws: SavingError.self) { try SavingFile(folder + "/settings.json").read() }
        #expect(throws: SavingError.self) { try SavingFile(folder + "/settings.json").setAside() }
        #expect(FileManager.default.fileExists(atPath: folder + "/settings.json"))
        try SavingFile(folder + "/large").write([1, 2, 3])
        #expect(throws: SavingError.self) { try SavingFile(folder + "/large", limit: 2).read() }
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func `more than would be read is not written`() throws {
        let file = SavingFile(folder + "/settings.json", limit: 2)
        try file.write([1, 2])
        #expect(throws: SavingError.self) { try file.write([1, 2, 3]) }
        #expect(try file.read() == [1, 2])
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func `a file keeps its permissions`() throws {
        let file = SavingFile(folder + "/settings.json")
        try file.write([1])
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
        try file.write([2])
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func `a link stays, and leads to the file that is read and written`() throws {
        let (manager, file) = (FileManager.default, SavingFile(folder + "/link.json"))
        try SavingFile(folder + "/real.json").write([1])
        try manager.createSymbolicLink(
            atPath: file.path, withDestinationPath: folder + "/real.json")
        #expect(try file.read() == [1])
        try file.write([2])
        #expect(try SavingFile(folder + "/real.json").read() == [2])
        #expect(
            try manager.destinationOfSymbolicLink(atPath: file.path) == folder + "/real.json")
        #expect(throws: SavingError.self) {
            try SavingFile(file.path, isPrivate: true).read()
        }
        // A name that a link has taken, wherever it leads, is taken.
        try manager.createSymbolicLink(
            atPath: folder + "/real.json.broken-1", withDestinationPath: folder + "/nowhere")
        try file.setAside()
        #expect(manager.fileExists(atPath: folder + "/real.json.broken-2"))
        #expect(try file.read() == nil)
        try manager.removeItem(atPath: folder)
    }
}
