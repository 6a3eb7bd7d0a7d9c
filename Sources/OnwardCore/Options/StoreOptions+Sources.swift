// SPDX-License-Identifier: MIT

extension StoreOptions {
    private enum RandomKey: StoreOptionKey {
        static var defaultValue: RandomSource? { nil }
    }

    private enum IDsKey: StoreOptionKey {
        static var defaultValue: IDSource? { nil }
    }

    /// The source of random numbers for effects.
    ///
    /// Unless it is set, each store has another one, and so it is another one each time it is read:
    /// stores that are made of the same options, such as those of visitors, share no numbers.
    public var random: RandomSource {
        get { givenRandom ?? RandomSource() }
        set { givenRandom = newValue }
    }

    /// The source of ids for effects, and of the stamps of actions.
    ///
    /// Unless it is set, each store has another one, and so it is another one each time it is read:
    /// stores that are made of the same options, such as those of visitors, share no ids.
    public var ids: IDSource {
        get { givenIDs ?? IDSource() }
        set { givenIDs = newValue }
    }

    /// The source of random numbers, if one was set.
    package var givenRandom: RandomSource? {
        get { self[RandomKey.self] }
        set { self[RandomKey.self] = newValue }
    }

    /// The source of ids, if one was set.
    package var givenIDs: IDSource? {
        get { self[IDsKey.self] }
        set { self[IDsKey.self] = newValue }
    }
}
