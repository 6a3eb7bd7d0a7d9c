// SPDX-License-Identifier: MIT

// Each library compiles for a client without traits.
import Onward
import OnwardJournal
import OnwardNavigation
import OnwardPostgres
import OnwardServer
import OnwardTesting
import ReSwift
import ReSwiftRouter
import ReSwiftThunk
import ReSwiftThunkTesting
import ReduxSwift
