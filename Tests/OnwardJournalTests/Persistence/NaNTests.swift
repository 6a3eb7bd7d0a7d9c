// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardTesting
import Testing

@testable import OnwardJournal

/// NaN doesn't equal itself, but what is written of it is the same each time.
struct NaNTests {
    struct Settings: Codable, Equatable, Sendable {
        var zoom = 1.0, size: Float = 1, name = "a", at = Date(timeIntervalSince1970: 0)
        var all = [1.0]
    }
    struct App: Codable, Equatable, Sendable {
        var settings = Settings()
        var draft = 0
    }
    enum AppAction: Action, Codable, Equatable {
        case name(String), draft(Int)
        case zoom(Double), size(Float), at(Date), all([Double])
    }

    static let app = Feature<App> {
        Reduce { (app: inout App, action: AppAction) in
            switch action {
            case .name(let name): app.settings.name = name
            case .draft(let draft): app.draft = draft
            case .zoom(let zoom): app.settings.zoom = zoom
            case .size(let size): app.settings.size = size
            case .at(let date): app.settings.at = date
            case .all(let all): app.settings.all = all
            }
        }
    }

    static let actions: [AppAction] = [
        .zoom(.nan), .size(.nan), .at(Date(timeIntervalSinceReferenceDate: .nan)),
        .all([1, .nan]),
    ]

    private let path = FileManager.default.temporaryDirectory
        .appendingPathComponent("onward-nan-\(UUID().uuidString).json").path

    @Test(arguments: actions.indices)  // A date that is NaN stops who prints it.
    func `a slice with NaN is saved, and nothing is blamed`(index: Int) async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let reports = Guarded<[SavingError]>([])
        let make = {
            Store(App()) {
                Self.app
                Saving(
                    \.settings, in: .file(path),
                    report: { error in reports.withValue { $0.append(error) } })
            }
        }
        let first = make()
        first.dispatch(Self.actions[index])
        first.dispatch(AppAction.name("b"))
        await first.shutdown()
        #expect(reports.withValue { $0 } == [])
        let second = make()
        #expect(second.state.settings.name == "b")
        let settings = second.state.settings
        let numbers =
            [
                settings.zoom, Double(settings.size), settings.at.timeIntervalSinceReferenceDate,
            ] + settings.all
        #expect(numbers.contains { $0.isNaN })
        await second.shutdown()
    }

    @Test(arguments: actions.indices)
    func `a journal doesn't grow at launches that dispatch nothing`(index: Int) async throws {
        let journal = MemoryJournal()
        var options = PersistenceOptions<App>()
        options.makeTransient(\.draft)
        for launch in 0..<4 {
            let app = try await Persistence(
                of: App(), in: Unclosed(base: journal), options: options
            ) { Self.app }
            if launch == 0 { try await app.dispatch(Self.actions[index]) }
            try await app.shutdown()
            #expect(try await journal.lastVersion() == 1)
        }
        // What begins anew is still noticed.
        let app = try await Persistence(
            of: App(), in: Unclosed(base: journal), options: options
        ) { Self.app }
        try await app.dispatch(AppAction.draft(7))
        try await app.shutdown()
        let last = try await Persistence(
            of: App(), in: Unclosed(base: journal), options: options
        ) { Self.app }
        try await last.shutdown()
        #expect(try await journal.lastVersion() == 3)
    }
}
