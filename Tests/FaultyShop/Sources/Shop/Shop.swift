// SPDX-License-Identifier: MIT

public import Onward

/// A shop where vouchers are redeemed for credit.
public struct Shop: Codable, Equatable, Sendable {
    /// Something to buy.
    public struct Product: Codable, Equatable, Identifiable, Sendable {
        /// Its name.
        public let id: String
        var isFavourite = false
        var views = 0

        /// A product that nobody has seen yet.
        public init(id: String) { self.id = id }
    }

    /// A voucher and its worth.
    struct Voucher: Codable, Equatable, Sendable { var worth: Int, isRedeemed = false }

    var customer: String?
    /// What there is to buy.
    public var products: EntityTable<Product> = []
    var vouchers: [String: Voucher] = [:]
    var paid: [String: Int] = [:]
    var note = ""
    /// What was paid back for cancelled orders since the customer signed in.
    var paidBack = 0
    /// What the customer may spend, which is never negative.
    public private(set) var credit = 0

    /// A shop that has just been opened.
    public init(products: [Product] = []) {
        for product in products { self.products[id: product.id] = product }
    }

    /// The names of all products.
    public var productIDs: [String] { products.map(\.id) }

    /// The code of a voucher that was redeemed and is worth more than the credit.
    public var dearVoucher: String? {
        vouchers.filter { $0.value.isRedeemed && $0.value.worth > credit }.keys.min()
    }

    mutating func apply(_ action: ShopAction) {
        switch action {
        case .signIn(let name): (customer, paidBack) = (name, 0)
        case .note(let text): note = text
        case .redeem(let code, let worth):
            guard customer != nil, vouchers[code]?.isRedeemed != true, worth > 0 else { return }
            vouchers[code] = Voucher(worth: worth, isRedeemed: true)
            credit += worth
        case .order(let id, let price):
            guard price > 0, price <= credit, paid[id] == nil else { return }
            paid[id] = price
            credit -= price
        case .cancel(let id):
            guard let price = paid.removeValue(forKey: id) else { return }
            credit += price
            paidBack += price
        case .giveBack(let code):
            // The fault: what was paid back is part of the credit.
            guard let voucher = vouchers[code], voucher.isRedeemed,
                credit + paidBack >= voucher.worth
            else { return }
            vouchers[code]?.isRedeemed = false
            credit -= voucher.worth
        case .restock: vouchers = vouchers.filter { !$0.value.isRedeemed }
        }
    }
}

/// What customers do.
public enum ShopAction: Action, Codable, Equatable {
    case signIn(String)
    case note(String)
    case redeem(String, worth: Int)
    case order(String, price: Int)
    case cancel(String)
    case giveBack(String)
    case restock
}

/// What they do with a product.
public enum ProductAction: Action, Codable, Equatable { case view, favour(Bool) }

/// The shop as a feature.
public let shop = Feature<Shop> {
    Reduce { (shop: inout Shop, action: ShopAction) in shop.apply(action) }
    Scope(
        each: \.products,
        Feature<Shop.Product> {
            Reduce { (product: inout Shop.Product, action: ProductAction) in
                switch action {
                case .view: product.views += 1
                case .favour(let isFavourite): product.isFavourite = isFavourite
                }
            }
        })
}
