// SPDX-License-Identifier: MIT

@_exported public import Foundation

@MainActor open class UIView {
    public init() {}
    public func addSubview(_ view: UIView) {}
}

@MainActor open class UIViewController {
    private var loaded: UIView?

    public init(nibName: String?, bundle: Bundle?) {}
    public required init?(coder: NSCoder) { nil }

    public var view: UIView {
        if let loaded { return loaded }
        let view = UIView()
        loaded = view
        viewDidLoad()
        return view
    }
    open func viewDidLoad() {}
}

@MainActor public final class UILabel: UIView {
    public var text: String?
}

/// Something that can be touched.
@MainActor open class UIControl: UIView {
    public struct Event: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let editingChanged = Event(rawValue: 1)
    }
    private var actions: [(Event, UIAction)] = []

    public func addAction(_ action: UIAction, for event: Event) { actions.append((event, action)) }
    public func sendActions(for event: Event) {
        for action in actions where action.0 == event { action.1.handler(action.1) }
    }
}

@MainActor public final class UIAction {
    let handler: (UIAction) -> Void
    public init(handler: @escaping (UIAction) -> Void) { self.handler = handler }
}

@MainActor public final class UITextField: UIControl {
    public var text: String?
}
