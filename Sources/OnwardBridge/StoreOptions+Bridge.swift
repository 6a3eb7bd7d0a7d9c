// SPDX-License-Identifier: MIT

package import Onward

extension StoreOptions {
    /// These options, with longer chains of subscribers that dispatch where no length was chosen.
    ///
    /// Apps of other libraries count down, page through lists and retry in such chains: those are long,
    /// but come to an end.
    package var forLongChains: StoreOptions {
        var options = self
        if limits.generations == StoreLimits().generations { options.limits.generations = 100_000 }
        return options
    }
}
