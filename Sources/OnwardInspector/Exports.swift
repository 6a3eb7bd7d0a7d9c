// SPDX-License-Identifier: MIT
#if Server

// Queries and commands for stores belong to the inspector, wherever the stores live.
@_exported public import OnwardInspection
#endif
