// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import Testing

struct MigrationTests {
    /// At version 1 `put(name)`, at version 2 `put(name, count)`, now `set(names)`.
    enum StockAction: Action, Codable, SchemaVersioned, Equatable {
        case set(names: [String])
        static var schemaVersion: Int { 3 }
    }

    struct Stock: Codable, Sendable, SchemaVersioned, Equatable {
        var names: [String] = []
        static var schemaVersion: Int { 3 }
    }

    private let store = Store(Stock()) {
        Reduce { (stock: inout Stock, action: StockAction) in
            switch action {
            case .set(let names): stock.names = names
            }
        }
        Reduce { (stock: inout Stock, note: Note) in stock.names.append(note.text) }
    }

    private func codec(_ build: (inout Migrations) -> Void) -> ActionCodec {
        var migrations = Migrations()
        build(&migrations)
        return ActionCodec(for: store.log.actions, migrations: migrations)
    }

    private func entry(_ name: String, schema: Int, _ payload: DataValue) -> JournalEntry {
        JournalEntry(
            version: 8, name: name, schema: schema, payload: DataFormat.cbor.bytes(of: payload))
    }

    private func addSteps(_ migrations: inout Migrations) {
        migrations.action("MigrationTests.StockAction", from: 1) { record in
            var record = record
            record.payload["count"] = 1
            return [record]
        }
        migrations.action("MigrationTests.StockAction", from: 2) { record in
            var record = record
            let name = record.payload["name"] ?? ""
            let count: Int = record.payload["count"]?.integer() ?? 0
            record.caseName = "set"
            record.payload = ["names": .list(Array(repeating: name, count: count))]
            return [record]
        }
    }

    @Test func `an entry goes from version 1 to version 3, step by step`() throws {
        let codec = codec(addSteps)
        let old = entry("MigrationTests.StockAction/put", schema: 1, ["name": "nail"])
        let newer = entry(
            "MigrationTests.StockAction/put", schema: 2, ["name": "nail", "count": 2])
        #expect(try codec.decode(old)[0].action as? StockAction == .set(names: ["nail"]))
        #expect(try codec.decode(newer)[0].action as? StockAction == .set(names: ["nail", "nail"]))
    }

    @Test func `a type that was renamed is found under its new name`() throws {
        let codec = codec { $0.rename(action: "Remark", to: "Note") }
        let entries = try codec.decode(entry("Remark", schema: 1, ["text": "hi"]))
        #expect(entries[0].action as? Note == Note(text: "hi"))
    }

    @Test func `a type that was renamed keeps its version, and goes on through the steps`() throws {
        let codec = codec { migrations in
            migrations.rename(action: "Warehouse", to: "MigrationTests.StockAction")
            addSteps(&migrations)
        }
        let old = entry("Warehouse/put", schema: 1, ["name": "nail"])
        #expect(try codec.decode(old)[0].action as? StockAction == .set(names: ["nail"]))
    }

    @Test func `a step that leads beyond the type, and a case that isn't there, are named`() {
        let beyond = codec { migrations in
            migrations.action("MigrationTests.StockAction", from: 3) { [$0] }
        }
        let present = entry("MigrationTests.StockAction/set", schema: 3, ["names": []])
        #expect {
            try beyond.decode(present)
        } throws: {
            "\($0)".hasSuffix(
                """
                a migration leads to schema version 4, the type has 3. Raise its schemaVersion, or \
                take the step out.
                """)
        }
        let gone = entry("MigrationTests.StockAction/gone", schema: 3, ["names": []])
        #expect {
            try codec { _ in }.decode(gone)
        } throws: { "\($0)".contains("cannot be decoded: the type has no such case. If a case") }
    }

    @Test func `an entry may become none, or several of one version`() throws {
        let codec = codec { migrations in
            migrations.action("Noise", from: 1) { _ in [] }
            migrations.action("Pair", from: 1) { _ in
                [
                    ActionRecord(type: "Note", payload: ["text": "a"]),
                    ActionRecord(type: "Note", payload: ["text": "b"]),
                ]
            }
        }
        #expect(try codec.decode(entry("Noise", schema: 1, [:])).isEmpty)
        let pair = try codec.decode(entry("Pair", schema: 1, [:]))
        #expect(pair.map { ($0.action as? Note)?.text } == ["a", "b"])
        #expect(pair.map(\.version) == [8, 8])
    }

    @Test func `a missing step, a step that throws and steps in a circle name the entry`() {
        struct Bad: Error {}
        let cases: [(ActionCodec, String)] = [
            (
                codec { _ in },
                "Add a migration of \"MigrationTests.StockAction\" from version 1."
            ),
            (
                codec { $0.action("MigrationTests.StockAction", from: 1) { _ in throw Bad() } },
                "a migration failed: Bad()"
            ),
            (
                codec { migrations in
                    migrations.rename(action: "MigrationTests.StockAction", to: "Other")
                    migrations.rename(action: "Other", to: "MigrationTests.StockAction")
                }, "go round in a circle"
            ),
        ]
        for (codec, text) in cases {
            #expect {
                try codec.decode(entry("MigrationTests.StockAction/put", schema: 1, [:]))
            } throws: {
                "\($0)".contains(text) && "\($0)".hasPrefix("Entry 8")
            }
        }
    }

    @Test func `a state goes from version 1 to version 3`() throws {
        var migrations = Migrations()
        migrations.state(from: 1) { state in ["list": state["things"] ?? []] }
        migrations.state(from: 2) { state in ["names": state["list"] ?? []] }
        let codec = StateCodec<Stock>(migrations: migrations)
        let fingerprint = FeatureFingerprint(of: store.log.actions)
        let old = JournalSnapshot(
            version: 5, schema: 1, fingerprint: fingerprint,
            payload: DataFormat.cbor.bytes(of: ["things": ["nail"]]))
        #expect(try codec.decode(old) == Stock(names: ["nail"]))
        let present = try codec.encode(Stock(names: ["x"]), at: 6, by: fingerprint)
        #expect(try codec.decode(present) == Stock(names: ["x"]))
        #expect {
            try StateCodec<Stock>().decode(old)
        } throws: { "\($0)".contains("a migration of the state is missing") }
    }

    @Test func `the fingerprint changes with the actions, their versions and the revision`() {
        let mine = FeatureFingerprint(of: store.log.actions)
        #expect(mine == FeatureFingerprint(of: store.log.actions))
        #expect(mine != FeatureFingerprint(of: makeShop().log.actions))
        #expect(mine != FeatureFingerprint(of: store.log.actions, revision: "2"))
        #expect(mine.description.count == 16)
    }
}
