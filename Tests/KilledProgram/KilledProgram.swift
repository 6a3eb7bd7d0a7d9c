// SPDX-License-Identifier: MIT

@main
struct KilledProgram {
    static func main() async throws {}
}
