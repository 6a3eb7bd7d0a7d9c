// SPDX-License-Identifier: MIT

/// What middlewares need of the engine that they stand before.
protocol Dispatcher: LockedStorage {
    /// The store's clock.
    var clock: any Clock<Duration> { get }

    /// Reads a value of the state, now.
    func read<Value>(_ getter: Getter<Value>) -> Value

    /// The first instance of a lens that an address names; nil when there is none.
    func find<Slice>(at lens: SliceLens, _ address: Address) -> Slice?

    /// Takes an action through middlewares, gates and reducers.
    func dispatch(
        _ type: any Action.Type, _ action: UnsafeRawPointer, to address: Address,
        from origin: Origin, on here: (any Actor)?
    ) -> DispatchResult
}
