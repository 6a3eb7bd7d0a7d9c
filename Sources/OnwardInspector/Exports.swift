// SPDX-License-Identifier: MIT
#if Inspector

// What is asked of logs and done to stores belongs to the inspector, wherever the stores live.
@_exported public import OnwardInspection
#endif
