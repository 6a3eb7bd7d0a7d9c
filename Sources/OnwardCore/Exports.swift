// SPDX-License-Identifier: MIT

// What stores are told and what they answer is part of what they offer.
@_exported public import OnwardActions
