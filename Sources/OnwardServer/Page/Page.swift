// SPDX-License-Identifier: MIT
#if Server
    import Hummingbird
#endif
