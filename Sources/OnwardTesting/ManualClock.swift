// SPDX-License-Identifier: MIT
import Onward
