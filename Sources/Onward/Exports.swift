// SPDX-License-Identifier: MIT

// A client writes `import Onward` and gets the layers below it.
@_exported public import EntityTables
@_exported public import OnwardActions
@_exported public import OnwardCore
@_exported public import OnwardDiagnostics
@_exported public import OnwardEffects
@_exported public import OnwardObservation
@_exported public import OnwardSelectors
