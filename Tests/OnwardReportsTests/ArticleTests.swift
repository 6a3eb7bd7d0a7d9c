// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import OnwardReports
import OnwardTesting
import Testing

private struct Cart: Codable, Sendable {
    var customer = ""
    var prices: [String: Int] = [:]
    var total = 0
}

private enum CartAction: Action, Codable {
    case signIn(mail: String)
    case add(sku: String, price: Int)
    case remove(sku: String)
    case apply(percent: Int)
}

private let cart = Feature<Cart> {
    Reduce { (cart, action: CartAction) in
        switch action {
        case .signIn(let mail): cart.customer = mail
        case .add(let sku, let price):
            guard cart.prices[sku] == nil else { return }
            cart.prices[sku] = price
            cart.total += price
        case .remove(let sku): cart.total -= cart.prices.removeValue(forKey: sku) ?? 0
        case .apply(let percent): cart.total -= cart.total * percent / 100
        }
    }
}

/// What the article "From a user's run to a failing test" says, with its own program.
struct ArticleTests {
    private let folder = TemporaryFolder()

    private var article: String {
        get throws {
            let root = URL(fileURLWithPath: #filePath)
                .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            let page = "Sources/OnwardReports/OnwardReports.docc/FromARunToATest.md"
            return try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
        }
    }

    @Test func `the test that the article prints is the one that is written`() async throws {
        let store = Store(Cart()) { cart }
        let recorder = try SessionRecorder(store, at: folder.path, keeping: .minutes(10))
        await recorder.flush()
        store.dispatch(CartAction.signIn(mail: "emma@hartfield.uk"))
        for number in 0..<300 {
            store.dispatch(CartAction.add(sku: "plate \(number % 7)", price: 30 + number))
            if number.isMultiple(of: 3) {
                store.dispatch(CartAction.remove(sku: "plate \(number % 5)"))
            }
        }
        for number in 0..<7 { store.dispatch(CartAction.remove(sku: "plate \(number)")) }
        #expect(store.state.total == 0)
        store.dispatch(CartAction.add(sku: "mug", price: 40))
        store.dispatch(CartAction.apply(percent: 50))
        store.dispatch(CartAction.remove(sku: "mug"))
        #expect(store.state.total == -20)

        let redaction = Redaction<Cart>()
            .allowing(\.prices)
            .allowing(action: "CartAction/add", "sku")
            .allowing(action: "CartAction/remove")
            .hidingTexts { $0.contains("@") }
            .checking("is negative") { $0.total < 0 }
        let report = try await recorder.session().report(in: cart, redacting: redaction)
        #expect(report.redaction?.isFaithful == true)
        #expect(!report.text().contains("emma"))
        let received = try Report(bytes: report.bytes())
        let shortest = try received.shortest(in: cart) { (cart: Cart) in cart.total < 0 }
        let source = try shortest.testSource(
            named: "the total is never negative", importing: ["ShopCore"],
            making: "Store(Cart()) { cart }", expecting: "state.total >= 0")
        let test = source[try #require(source.range(of: "@Test")).lowerBound...]
        #expect(try article.contains("```swift no-compile\n\(test)```\n"), "\(test)")
    }

    @Test func `the test fails as long as the fault is there`() throws {
        let log = RecordedLog(
            from: #"{"customer":"","prices":{},"total":0}"#,
            [
                .init("CartAction/add", #"{"price":2,"sku":"mug"}"#),
                .init("CartAction/apply", #"{"percent":50}"#),
                .init("CartAction/remove", #"{"sku":"mug"}"#),
            ])
        let state = try log.state(by: Store(Cart()) { cart })
        #expect(state.total == -1)
    }
}
