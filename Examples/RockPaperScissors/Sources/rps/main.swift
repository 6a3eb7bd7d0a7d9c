// SPDX-License-Identifier: MIT
import ArgumentParser
import Logging
print("rps")
