// SPDX-License-Identifier: MIT
#if All

import Foundation
import Onward
import OnwardInspector
import OnwardJournal
import OnwardReports
import OnwardSQLite
import Synchronization

@testable import OnwardInspectorTool

struct Cart: Codable, Equatable, Sendable {
    var items: [String] = []
    var total = 0
}

enum CartAction: Action, Codable {
    case add(name: String, price: Int)
    case clear
}

let cart = Feature<Cart> {
    Reduce { (cart: inout Cart, action: CartAction) in
        switch action {
        case .add(let name, let price):
            cart.items.append(name)
            cart.total += price
        case .clear: cart = Cart()
        }
    }
}

/// What a shop in its files looks like: two fruits, and an empty cart.
func fill(_ dispatch: (CartAction) async throws -> Void) async rethrows {
    try await dispatch(.add(name: "pear", price: 3))
    try await dispatch(.add(name: "Ada's <b>fig</b>", price: 4))
    try await dispatch(.clear)
}

/// A folder that is gone after the test.
final class Folder: Sendable {
    let path =
        FileManager.default.temporaryDirectory.path + "/onward-inspector-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let file = "\(path)/\(name)"
        try Data(bytes).write(to: URL(filePath: file))
        return file
    }

    /// The journal of a shop.
    func journal() async throws -> String {
        let file = path + "/shop.journal"
        let app = try await Persistence(of: Cart(), in: SQLiteJournal(at: file)) { cart }
        try await fill { try await app.dispatch($0) }
        try await app.shutdown()
        return file
    }

    /// The file of Redux DevTools that a shop writes.
    func devTools() async throws -> String {
        let store = Store(Cart()) { cart }
        let history = History(of: store)
        await fill { store.dispatch($0) }
        history.jump(to: 2)
        let codec = ActionCodec(for: store.log.actions)
        return try write(history.log.devToolsFile(codec), to: "shop.json")
    }
}

/// What a tool said.
final class Said: Sendable {
    private let lines = Mutex<(output: [String], errors: [String])>(([], []))
    var output: [String] { lines.withLock { $0.output } }
    var errors: [String] { lines.withLock { $0.errors } }

    func add(_ line: String, _ isError: Bool) {
        lines.withLock { lines in
            if isError { lines.errors.append(line) } else { lines.output.append(line) }
        }
    }
}

/// Runs the command.
func onward(_ arguments: String...) async -> (code: Int32, said: Said) { await onward(arguments) }

/// Runs the command.
func onward(_ arguments: [String]) async -> (code: Int32, said: Said) {
    let said = Said()
    return (await InspectorTool { said.add($0, $1) }.run(arguments), said)
}

/// An inspector with a shop in it.
struct InspectedShop {
    let store = Store(Cart()) { cart }
    let source: OwnSource

    init() async {
        let inspector = Inspector()
        inspector.attach(store, as: "shop")
        source = OwnSource(inspector)
        await fill { [store] in store.dispatch($0) }
    }
}
#endif
