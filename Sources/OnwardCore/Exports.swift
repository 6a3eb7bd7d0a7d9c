// SPDX-License-Identifier: MIT

// What is said to a store, and what it answers, is part of what it offers.
@_exported public import OnwardActions
