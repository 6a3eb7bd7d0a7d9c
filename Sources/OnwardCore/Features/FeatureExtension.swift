// SPDX-License-Identifier: MIT

/// What a part registers besides reducers, responders and middlewares, for a layer above the core that
/// finds it among the compiled features.
package protocol FeatureExtension: Sendable {}
