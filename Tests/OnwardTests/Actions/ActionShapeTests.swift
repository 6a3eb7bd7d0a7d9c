// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import TestSupport

@Suite struct `Shapes of actions` {
    enum Side: String, Codable, CaseIterable { case buy, sell }
    struct Lot: Codable { var size: Int }
    enum Order: Action, Codable {
        case clear
        case place(Int, price: Double, side: Side, note: String?, isFirm: Bool, lots: [Lot])
        case name(String)
    }
    struct Visit: Action, Codable {
        var page = ""
        var count = UInt8(0)
    }
    enum Step: String, Action, Codable, CaseIterable { case up, down }
    /// Zero is none of its values.
    struct Picky: Codable {
        init(from decoder: any Decoder) throws {
            guard try decoder.singleValueContainer().decode(Int.self) > 0 else { throw Refusal() }
        }
        func encode(to encoder: any Encoder) throws {}
        struct Refusal: Error {}
    }
    struct Fussy: Action, Codable {
        var first: Picky
        var second: String
    }

    private func fields(_ shape: ActionShape?) -> [String] {
        shape?.fields.map { "\($0.name) \($0.kind)\($0.isOptional ? "?" : "")" } ?? []
    }

    @Test func `each case of an enum has its fields, with their kinds`() {
        let shapes = ActionShape.all(in: Order.self)
        let type = Order.actionName
        #expect(shapes.map(\.name) == ["\(type)/clear", "\(type)/place", "\(type)/name"])
        #expect(fields(shapes.first) == [])
        #expect(
            fields(shapes.dropFirst().first) == [
                "value integer", "price number", #"side choice(["buy", "sell"])"#, "note text?",
                "isFirm truth", "lots other",
            ])
        #expect(fields(shapes.last) == ["value text"])
    }

    @Test func `a struct has its fields, and raw values are cases`() {
        #expect(ActionShape.all(in: Visit.self).map(\.name) == [Visit.actionName])
        #expect(fields(ActionShape.all(in: Visit.self).first) == ["page text", "count integer"])
        let names = ActionShape.all(in: Step.self).map(\.name)
        #expect(names == ["\(Step.actionName)/up", "\(Step.actionName)/down"])
    }

    @Test func `a field that zero can't be leaves the others known by name`() {
        #expect(fields(ActionShape.all(in: Fussy.self).first) == ["first other", "second other"])
    }
}
