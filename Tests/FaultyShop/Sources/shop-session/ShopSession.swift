// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardReports
import Shop

/// The app as a program: records a session, makes its report, finds the fault in it.
///
/// - `record FOLDER COUNT SEED` records so many actions, the last of which shows the fault, writes the report to
///   `FOLDER/problem.onwardreport`, and every text that the user entered to `FOLDER/secrets.txt`.
/// - `die FOLDER SEED` records some actions, and is killed by a fault outside the reducers while one is reduced.
/// - `report FOLDER` makes the report of the session that died.
/// - `find REPORT` prints a test that is as short as the fault allows.
/// - `compare FOLDER` says which recorded sessions the present reducers lead elsewhere.
@main
struct ShopSession {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.count) {
        case ("record", 4):
            try await Session(folder: arguments[1], seed: UInt64(arguments[3]) ?? 0)
                .record(Int(arguments[2]) ?? 0)
        case ("die", 3):
            try await Session(folder: arguments[1], seed: UInt64(arguments[2]) ?? 0).die()
        case ("report", 2):
            let session = RecordedSession.sessions(in: arguments[1] + "/sessions").first
            try session?.report(in: shop).write(to: arguments[1] + "/problem.onwardreport")
        case ("find", 2): try find(in: arguments[1])
        case ("compare", 2...), ("text", 2): exit(ReportsTool(now: shop).run(arguments))
        default: exit(64)
        }
    }

    private static func find(in path: String) throws {
        let clock = ContinuousClock()
        let begin = clock.now
        let report = try Report(contentsOf: path)
        let shortest = try report.shortest(in: shop, progress: { say("\($0)") }) { (shop: Shop) in
            shop.credit < 0
        }
        say(
            "\(report.entries.count) entries, \(shortest.entries.count) needed, \(clock.now - begin)"
        )
        print(
            try shortest.testSource(
                named: "credit is never negative", importing: ["Shop"],
                making: "Store(Shop()) { shop }", expecting: "state.credit >= 0"))
    }

    static func say(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
    }
}

/// A customer who does something at random, and enters texts that nobody else may see.
private final class Session {
    private let folder: String
    private var generator: Generator
    private var secrets: [String] = []
    private let store: Store<Shop>

    init(folder: String, seed: UInt64) throws {
        self.folder = folder
        generator = Generator(state: seed)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        var products: [Shop.Product] = []
        var names: [String] = []
        for _ in 0..<20 {
            names.append(Self.secret(&generator))
            products.append(Shop.Product(id: names[names.count - 1]))
        }
        secrets = names
        store = Store(Shop(products: products)) { shop }
    }

    private static func secret(_ generator: inout Generator) -> String {
        let letters = Array("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789")
        return String((0..<14).map { _ in letters.randomElement(using: &generator) ?? "x" })
    }

    private func secret() -> String {
        secrets.append(Self.secret(&generator))
        return secrets[secrets.count - 1]
    }

    private func writeSecrets() throws {
        try Data(secrets.joined(separator: "\n").utf8)
            .write(to: URL(fileURLWithPath: folder + "/secrets.txt"))
    }

    func record(_ count: Int) async throws {
        let recorder = try SessionRecorder(store, at: folder + "/sessions", keeping: .minutes(60))
        await recorder.flush()
        store.dispatch(ShopAction.signIn(secret()))
        for number in 2..<count {
            act(number)
            // A user is slower than the writer.
            if number.isMultiple(of: 1_000) { await recorder.flush() }
        }
        guard let code = store.state.dearVoucher else { exit(1) }
        store.dispatch(ShopAction.giveBack(code))
        guard store.state.credit < 0 else { exit(1) }
        let session = try await recorder.session()
        await recorder.stop()
        let redaction = Redaction<Shop>().checking("credit") { $0.credit }
        let report = try session.report(in: shop, redacting: redaction)
        try report.write(to: folder + "/problem.onwardreport")
        try writeSecrets()
        ShopSession.say(
            "\(report.entries.count) entries in \(try report.bytes().count) bytes, "
                + "the course is \(report.redaction?.isFaithful == true ? "the same" : "another")")
        if report.redaction?.isFaithful != true { exit(1) }
    }

    /// One thing that a customer may do; never what shows the fault.
    private func act(_ number: Int) {
        let state = store.state
        let code = "voucher \(number % 12)"
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<6:
            guard let id = state.productIDs.randomElement(using: &generator) else { return }
            store.dispatch(ProductAction.view, to: .row(\.products, id: id))
        case 6..<9:
            guard let id = state.productIDs.randomElement(using: &generator) else { return }
            store.dispatch(
                ProductAction.favour(.random(using: &generator)), to: .row(\.products, id: id))
        case 9:
            // Some thousand of them; the rest say what was said before.
            let text = number.isMultiple(of: 2) ? secret() : secrets[0]
            store.dispatch(ShopAction.note(text))
        case 10..<12:
            store.dispatch(ShopAction.redeem(code, worth: .random(in: 1...90, using: &generator)))
        case 12..<15:
            store.dispatch(ShopAction.order("order \(number % 9)", price: max(state.credit, 1)))
        case 15..<18: store.dispatch(ShopAction.cancel("order \(number % 7)"))
        case 18:
            store.dispatch(
                ShopAction.order(
                    "order \(number % 5)", price: .random(in: 1...50, using: &generator)))
        default: store.dispatch(ShopAction.restock)
        }
    }

    func die() async throws {
        var options = SessionOptions()
        options.keepsFatalPayload = true
        let recorder = try SessionRecorder(store, at: folder + "/sessions", options: options)
        await recorder.flush()
        for _ in 0..<50 { store.dispatch(ShopAction.note(secret())) }
        await recorder.flush()
        let last = secret()
        try writeSecrets()
        // Killed in the middle of a reducer, as by the system.
        store.log.replaceFeatures {
            shop
            Reduce { (_: inout Shop, _: ShopAction) in kill(getpid(), SIGKILL) }
        }
        store.dispatch(ShopAction.note(last))
    }
}

/// Random numbers with a seed.
private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
