// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import OnwardTesting
import Testing

struct SavingTests {
    /// A storage in memory that may fail.
    private final class MemoryStorage: ValueStorage {
        let contents = Guarded<[UInt8]?>(nil)
        let writes = Guarded(0)
        let isFull = Guarded(false)
        let written = Signal()

        func read() -> [UInt8]? { contents.withValue { $0 } }

        func write(_ bytes: [UInt8]) throws {
            if isFull.withValue({ $0 }) { throw SavingError(.unwritable, "The disk is full.") }
            writes.withValue { $0 += 1 }
            contents.withValue { $0 = bytes }
            written.give()
        }

        var text: String? { read().map { String(decoding: $0, as: UTF8.self) } }
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
        Store(Shop(left: saved.load() ?? Basket()), options: StoreOptions(clock: clock)) {
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

    @Test func `several slices are saved, each in its own storage`() async {
        let (first, second) = (storage, MemoryStorage())
        let left = SavedValue<Basket>(in: first, report: reports.add)
        let right = SavedValue<Basket>(in: second, report: reports.add)
        func store() -> Store<Shop> {
            Store(
                Shop(left: left.load() ?? Basket(), right: right.load() ?? Basket()),
                options: StoreOptions(clock: clock)
            ) {
                Scope(\.left, basket)
                Scope(\.right, basket)
                Saving(\.left, as: left)
                Saving(\.right, as: right)
            }
        }
        let running = store()
        running.scoped(to: \.left).dispatch(add("l"))
        running.scoped(to: \.right).dispatch(add("r"))
        await running.shutdown()
        #expect(first.text?.contains(#"["l"]"#) == true)
        #expect(second.text?.contains(#"["r"]"#) == true)
        #expect(store().state == running.state)
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

    @Test func `what cannot be read is reported and never written over`() async {
        storage.contents.withValue { $0 = Array("{broken".utf8) }
        let store = makeStore(saved())
        #expect(store.state.left == Basket())
        left(store).dispatch(add("a"))
        await store.shutdown()
        #expect(storage.text == "{broken")
        let lines = reports.lines.withValue { $0 }
        #expect(
            lines.first?.hasPrefix("The saved Basket cannot be read: The text is not JSON") == true)
        #expect(lines.last?.contains("is not saved") == true)
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
        async
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
        let store = Store(Well(deep: saved.load() ?? .more(.end))) {
            Reduce { (well: inout Well, _: Dig) in
                for _ in 0..<70 { well.deep = .more(well.deep) }
            }
            Saving(\.deep, as: saved)
        }
        store.dispatch(Dig())
        await store.shutdown()
        #expect(storage.contents.withValue { $0 } == old)
        #expect(reports.lines.withValue { $0.first }?.contains("deeper than 64 levels") == true)
    }

    @Test func `an older form goes through the migrations, a newer one is set aside`() throws {
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
        #expect(settings.load()?.theme == "dark")
        storage.contents.withValue { $0 = Array(#"{"schema":3,"value":{}}"#.utf8) }
        #expect(settings.load() == nil)
        #expect(reports.lines.withValue { $0.first }?.contains("A newer one wrote it") == true)
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

    @Test func `what a killed program left is removed, and what another one writes is not`()
        throws
    {
        let (manager, file) = (FileManager.default, SavingFile(folder + "/settings.json"))
        try file.write([1])
        let ended = Process()
        ended.executableURL = URL(fileURLWithPath: "/bin/sh")
        ended.arguments = ["-c", "exit 0"]
        try ended.run()
        ended.waitUntilExit()
        let names = [
            "settings.json.saving-\(ended.processIdentifier)-5E3A90C1",
            "settings.json.saving-1-5E3A90C1", "settings.json.saving-x",
            "settings.json.saving-0-1", "other.json.saving-99999999-1",
        ]
        for name in names {
            #expect(manager.createFile(atPath: "\(folder)/\(name)", contents: nil))
        }
        #expect(try file.read() == [1])
        #expect(
            Set(try manager.contentsOfDirectory(atPath: folder))
                == Set(names.dropFirst() + ["settings.json"]))
        try manager.removeItem(atPath: folder)
    }

    @Test func `a write that fails leaves nothing, and says why`() throws {
        let manager = FileManager.default
        try manager.createDirectory(
            atPath: folder + "/settings.json", withIntermediateDirectories: true)
        #expect {
            try SavingFile(folder + "/settings.json").write([1])
        } throws: {
            "\($0)".hasPrefix("\(folder)/settings.json cannot be replaced: ")
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
