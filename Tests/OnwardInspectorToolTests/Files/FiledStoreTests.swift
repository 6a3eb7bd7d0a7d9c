// SPDX-License-Identifier: MIT
#if All

import OnwardInspection
import OnwardInspector
import OnwardJournal
import Testing

@testable import OnwardInspectorTool

struct FiledStoreTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func store() async throws -> FiledStore {
        try await FiledStore(FiledLog.read(folder.devTools()))
    }

    @Test func `one can travel in a file`() async throws {
        let store = try await store()
        #expect(store.summary.cursor == 2)
        try store.perform(.jump(moment: 1))
        #expect(store.summary.shownID == 1)
        try store.perform(.step(by: -1))
        #expect(store.summary.cursor == 0)
        try store.perform(.show(entry: 2))
        try store.perform(.live)
        #expect(store.summary.isAtEnd)
    }

    @Test(arguments: [
        InspectorCommand.jump(moment: 4), .step(by: .max), .show(entry: 9), .step(by: -3),
    ])
    func `moments that are not there are refused`(command: InspectorCommand) async throws {
        let store = try await store()
        let error = #expect(throws: InspectorError.self) { try store.perform(command) }
        #expect(error?.code == .missing)
        #expect(store.summary.cursor == 2)
    }

    @Test(arguments: [InspectorCommand.reset, .toggle(entry: 1), .lock, .dispatch(json: "{}")])
    func `nothing runs in a file`(command: InspectorCommand) async throws {
        let store = try await store()
        let error = #expect(throws: InspectorError.self) { try store.perform(command) }
        #expect(error?.code == .refused)
    }
}
#endif
