// SPDX-License-Identifier: MIT

public import Observation

/// A value of a view's own.
@propertyWrapper public struct State<Value>: DynamicProperty {
    private nonisolated final class Box {
        var value: Value
        init(_ value: Value) { self.value = value }
    }
    private nonisolated(unsafe) let box: Box  // so that views may be made anywhere

    public nonisolated init(wrappedValue value: Value) { box = Box(value) }

    public var wrappedValue: Value {
        get { box.value }
        nonmutating set { box.value = newValue }
    }
    public var projectedValue: Binding<Value> {
        Binding(get: { [box] in box.value }, set: { [box] in box.value = $0 })
    }
}

/// A property that a view reads before its body.
nonisolated public protocol DynamicProperty {}

/// A value that somebody else keeps.
@propertyWrapper @dynamicMemberLookup nonisolated public struct Binding<Value>: DynamicProperty {
    private let get: () -> Value
    private let set: (Value) -> Void

    init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        (self.get, self.set) = (get, set)
    }

    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }
    public var projectedValue: Binding<Value> { self }

    public subscript<Part>(dynamicMember path: WritableKeyPath<Value, Part>) -> Binding<Part> {
        Binding<Part> {
            wrappedValue[keyPath: path]
        } set: {
            wrappedValue[keyPath: path] = $0
        }
    }
}

/// Makes bindings of an object that can be observed.
@propertyWrapper @dynamicMemberLookup nonisolated public struct Bindable<Value> {
    public var wrappedValue: Value

    public init(wrappedValue: Value) where Value: AnyObject, Value: Observable {
        self.wrappedValue = wrappedValue
    }
    public init(_ wrappedValue: Value) where Value: AnyObject, Value: Observable {
        self.wrappedValue = wrappedValue
    }

    public var projectedValue: Bindable<Value> { self }

    public subscript<Part>(
        dynamicMember path: ReferenceWritableKeyPath<Value, Part>
    ) -> Binding<Part> where Value: AnyObject {
        Binding { [wrappedValue] in
            wrappedValue[keyPath: path]
        } set: { [wrappedValue] in
            wrappedValue[keyPath: path] = $0
        }
    }
}

/// A value of where a view is.
@propertyWrapper nonisolated public struct Environment<Value>: DynamicProperty {
    private let path: KeyPath<EnvironmentValues, Value>

    public init(_ path: KeyPath<EnvironmentValues, Value>) { self.path = path }

    public var wrappedValue: Value { EnvironmentValues()[keyPath: path] }
}

/// What a view may ask about where it is.
nonisolated public struct EnvironmentValues {
    /// Whether the user wants less movement.
    public var accessibilityReduceMotion: Bool { false }
}
