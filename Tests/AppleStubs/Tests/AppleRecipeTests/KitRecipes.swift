// SPDX-License-Identifier: MIT

import AppKit
import Onward
import Testing
import UIKit

// What stands between the comments is shown in Documentation/Cook/Views.md.
@MainActor struct KitRecipes {
    @Test func `a screen of UIKit shows a value, and says what was entered`() {
        // recipe: uikit-screen with UIKit
        struct Profile: Equatable, Sendable { var name = "" }
        enum ProfileAction: Action { case rename(String) }

        final class ProfileScreen: UIViewController {
            let greeting = UILabel(), field = UITextField()
            private let store: FeatureStore<Profile, ProfileAction>
            private var token: Subscription?

            // shown as: init(_ store: FeatureStore<Profile, ProfileAction>) { … }  // keeps it
            init(_ store: FeatureStore<Profile, ProfileAction>) {
                self.store = store
                super.init(nibName: nil, bundle: nil)
            }
            // to here
            // shown as:
            required init?(coder: NSCoder) { nil }
            // to here

            override func viewDidLoad() {
                super.viewDidLoad()
                field.addAction(
                    UIAction { [store, field] _ in store.send(.rename(field.text ?? "")) },
                    for: .editingChanged)
                token = store.subscribe(\.name, initially: true) { [greeting] _, name in
                    greeting.text = "Hello \(name)"
                }
            }
        }
        // end
        let store = Store(Profile(name: "Ada")) {
            Reduce { (profile: inout Profile, action: ProfileAction) in
                if case .rename(let name) = action { profile.name = name }
            }
        }
        let screen = ProfileScreen(store.scoped(sending: ProfileAction.self))
        _ = screen.view
        #expect(screen.greeting.text == "Hello Ada")
        screen.field.text = "Grace"
        screen.field.sendActions(for: .editingChanged)
        #expect(screen.greeting.text == "Hello Grace")
    }

    @Test func `a table of UIKit writes the cells of the rows that have changed`() {
        // recipe: uikit-table with UIKit
        struct Item: Equatable, Sendable, Identifiable { let id: Int; var title = "" }
        struct Shop: Equatable, Sendable { var items: EntityTable<Item> = [] }

        final class ItemsScreen: UITableViewController {
            private let store: Store<Shop>
            private var token: Subscription?
            private(set) lazy var rows = UITableViewDiffableDataSource<Int, Int>(
                tableView: tableView
            ) { [store] table, place, id in
                let cell = table.dequeueReusableCell(withIdentifier: "item", for: place)
                var content = cell.defaultContentConfiguration()
                content.text = store.state.items[id: id]?.title
                cell.contentConfiguration = content
                return cell
            }

            // shown as: init(_ store: Store<Shop>) { … }  // keeps it
            init(_ store: Store<Shop>) {
                self.store = store
                super.init(style: .plain)
            }
            // to here
            // shown as:
            required init?(coder: NSCoder) { nil }
            // to here

            override func viewDidLoad() {
                super.viewDidLoad()
                tableView.register(UITableViewCell.self, forCellReuseIdentifier: "item")
                token = store.subscribe(.table(\.items), initially: true) { [weak self] old, new in
                    var shown = NSDiffableDataSourceSnapshot<Int, Int>()
                    shown.appendSections([0])
                    shown.appendItems(Array(new.ids))
                    shown.reconfigureItems(new.changes(since: old).updated)
                    self?.rows.apply(shown)
                }
            }
        }
        // end
        enum ShopAction: Action { case rename(Int, String), add(Int), remove(Int) }
        let store = Store(Shop(items: [Item(id: 1, title: "Tea"), Item(id: 2, title: "Milk")])) {
            Reduce { (shop: inout Shop, action: ShopAction) in
                switch action {
                case .rename(let id, let title): shop.items[id: id]?.title = title
                case .add(let id): shop.items.append(Item(id: id, title: "New"))
                case .remove(let id): shop.items.remove(id: id)
                }
            }
        }
        let screen = ItemsScreen(store)
        _ = screen.view
        #expect(screen.rows.texts == ["Tea", "Milk"])
        store.dispatch(ShopAction.rename(2, "Cream"))
        store.dispatch(ShopAction.add(3))
        store.dispatch(ShopAction.remove(1))
        #expect(screen.rows.texts == ["Cream", "New"])
        #expect(screen.rows.work == 4)
    }

    @Test func `a window of AppKit shows a value, and says what was entered`() {
        // recipe: appkit-window with AppKit
        struct Profile: Equatable, Sendable { var name = "" }
        enum ProfileAction: Action { case rename(String) }

        final class ProfileController: NSViewController, NSTextFieldDelegate {
            let greeting = NSTextField(labelWithString: ""), field = NSTextField(string: "")
            private let store: FeatureStore<Profile, ProfileAction>
            private var token: Subscription?

            // shown as: init(_ store: FeatureStore<Profile, ProfileAction>) { … }  // keeps it
            init(_ store: FeatureStore<Profile, ProfileAction>) {
                self.store = store
                super.init(nibName: nil, bundle: nil)
            }
            // to here
            // shown as:
            required init?(coder: NSCoder) { nil }
            // to here

            override func loadView() { view = NSStackView(views: [greeting, field]) }
            override func viewDidLoad() {
                super.viewDidLoad()
                field.delegate = self
                token = store.subscribe(\.name, initially: true) { [greeting] _, name in
                    greeting.stringValue = "Hello \(name)"
                }
            }
            func controlTextDidChange(_ notification: Notification) {
                store.send(.rename(field.stringValue))
            }
        }
        // end
        let store = Store(Profile(name: "Ada")) {
            Reduce { (profile: inout Profile, action: ProfileAction) in
                if case .rename(let name) = action { profile.name = name }
            }
        }
        let controller = ProfileController(store.scoped(sending: ProfileAction.self))
        _ = controller.view
        #expect(controller.greeting.stringValue == "Hello Ada")
        controller.field.type("Grace")
        #expect(controller.greeting.stringValue == "Hello Grace")
    }
}
