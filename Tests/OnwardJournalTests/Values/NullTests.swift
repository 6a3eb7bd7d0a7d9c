// SPDX-License-Identifier: MIT

import Foundation
import Onward
import Testing

@testable import OnwardJournal

/// Null where a value has to be is broken contents, wherever they come from.
struct NullTests {
    struct Form: Codable, Equatable, Sendable {
        struct Row: Codable, Equatable, Sendable, Identifiable { var id = 1, price = 2.0 }
        var zoom = 1.0
        var at = Date(timeIntervalSince1970: 0)
        var size: Float = 1
        var all = [1.0]
        var rows: EntityTable<Row> = [Row()]
        var names = ["a": 1.0]
        var dates: Set<Date> = []
        var data = Data([1])
        var bytes: [UInt8] = [1]
        var count = 1
        var note: Double? = 1
        var last: Date?
        var list: [Double?] = [1]
    }

    enum FormAction: Action, Codable { case set(Form), zoom(Double), at(date: Date, note: Double?) }

    struct Case: Sendable, CustomTestStringConvertible {
        let path: DataPath
        var testDescription: String { path.description }
        /// A form with null at the path.
        func form() throws -> DataValue {
            let list: [(DataPath, DataValue)] = [(path, .null)]
            return try list.reduce(DataValue(encoding: Form())) { $0.replacing($1.0, by: $1.1) }
        }
    }

    static let broken = [
        "zoom", "at", "size", "all", "all.0", "rows", "rows.0", "rows.0.price", "names", "names.a",
        "dates", "data", "bytes", "count",
    ].map { Case(path: DataPath($0)) }
    static let optional = ["note", "last", "list.0"].map { Case(path: DataPath($0)) }

    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("onward-null-\(UUID().uuidString)").path

    @Test(arguments: broken)
    func `is set aside in a saved file, and reported with its path`(field: Case) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/form.json"
        try SavingFile(path).write(
            DataFormat.json.bytes(of: ["schema": 1, "value": field.form()]))
        let reports = Guarded<[SavingError]>([])
        let saved = SavedValue<Form>(
            in: .file(path), report: { error in reports.withValue { $0.append(error) } })
        #expect(try saved.load() == nil)
        let report = try #require(reports.withValue { $0.first })
        #expect(report.code == .broken)
        #expect(report.description.contains("broken: \(field.path): expected"))
        #expect(report.description.contains("found null"))
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files == ["form.json.broken-1"])
    }

    @Test(arguments: broken, DataFormat.allCases)
    func `is named in an entry and in a snapshot that can't be read`(
        field: Case, format: DataFormat
    ) throws {
        let bytes = format.bytes(of: ["value": try field.form()])
        let entry = JournalEntry(version: 7, name: "NullTests.FormAction/set", payload: bytes)
        let codec = ActionCodec(for: makeStore().log.actions, format: format)
        #expect {
            try codec.decode(entry)
        } throws: { error in
            let error = error as? JournalError
            return error?.code == .unreadable
                && error?.description.contains("set.value.\(field.path): expected") == true
        }
        let reports = Guarded<[QuarantinedEntry]>([])
        let read = try codec.decode(
            [entry], whenUnreadable: .quarantine { entry in reports.withValue { $0.append(entry) } }
        )
        #expect(read.isEmpty && reports.withValue { $0.count } == 1)
        let snapshot = JournalSnapshot(
            version: 7, fingerprint: FeatureFingerprint(rawValue: 1),
            payload: format.bytes(of: try field.form()))
        #expect {
            try StateCodec<Form>(format: format).decode(snapshot)
        } throws: { error in
            let error = error as? JournalError
            return error?.code == .unreadable
                && error?.description.contains(": \(field.path): expected") == true
        }
    }

    @Test(arguments: broken)
    func `is named in a DevTools file`(field: Case) throws {
        let form = String(decoding: DataFormat.json.bytes(of: try field.form()), as: UTF8.self)
        func text(_ text: String) -> String {
            String(decoding: DataFormat.json.bytes(of: .text(text)), as: UTF8.self)
        }
        let codec = ActionCodec(for: makeStore().log.actions)
        let state = #"{"payload":"[]","preloadedState":\#(text(form))}"#
        var log = History(of: makeStore()).log
        #expect {
            try log.load(DevToolsFile(Array(state.utf8)), codec)
        } throws: { "\($0)".contains("\(field.path): expected") }
        let actions = #"[{"type":"NullTests.FormAction/set","value":\#(form)}]"#
        let file = #"{"payload":\#(text(actions))}"#
        #expect {
            try log.load(DevToolsFile(Array(file.utf8)), codec)
        } throws: { "\($0)".contains("set.value.\(field.path): expected") }
    }

    @Test(arguments: optional, DataFormat.allCases)
    func `is nil for an optional`(field: Case, format: DataFormat) throws {
        let bytes = format.bytes(of: try field.form())
        let form = try format.value(of: bytes).decoded(as: Form.self)
        #expect(form.note == (field.path == "note" ? nil : 1))
        #expect(form.last == nil)
        #expect(form.list == (field.path == "list.0" ? [nil] : [1]))
    }

    private func makeStore() -> Store<Form> {
        Store(Form()) { Reduce { (_: inout Form, _: FormAction) in } }
    }
}

extension DataValue {
    /// The same value with another part at a path.
    fileprivate func replacing(_ path: DataPath, by part: DataValue) -> DataValue {
        guard let step = path.steps.first else { return part }
        let rest = DataPath(Array(path.steps.dropFirst()))
        if var values = list, let index = Int(step) {
            values[index] = values[index].replacing(rest, by: part)
            return .list(values)
        }
        var copy = self
        copy[step] = (self[step] ?? .null).replacing(rest, by: part)
        return copy
    }
}
