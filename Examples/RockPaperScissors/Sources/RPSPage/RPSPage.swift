// SPDX-License-Identifier: MIT
import Hummingbird
import Mustache
