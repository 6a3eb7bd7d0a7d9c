// SPDX-License-Identifier: MIT

/// A two-byte floating-point number (IEEE 754 binary16), implemented by hand since `Float16` is not
/// available on every platform.
struct HalfFloat {
    let bits: UInt16

    init(bits: UInt16) {
        self.bits = bits
    }

    /// The half that equals this number exactly; nil if there is none.
    init?(exactly number: Double) {
        let sign: UInt16 = number.sign == .minus ? 0x8000 : 0
        if number.isInfinite {
            bits = sign | 0x7C00
            return
        }
        // 2^24 steps to 1: the smallest number that is not 0 is one step.
        let steps = number.magnitude * 0x1p24
        guard number.magnitude <= 65_504, steps == steps.rounded(.towardZero) else { return nil }
        let whole = UInt64(steps)
        guard whole >= 1 << 10 else {
            bits = sign | UInt16(whole)  // without a leading one, or 0
            return
        }
        let exponent = 63 - whole.leadingZeroBitCount - 10
        guard whole & ((1 << exponent) - 1) == 0 else { return nil }
        let fraction = UInt16((whole >> exponent) & 0x3FF)
        bits = sign | UInt16(exponent + 1) << 10 | fraction
    }

    /// The same number in double precision.
    var double: Double {
        let exponent = Int(bits >> 10 & 0x1F)
        let fraction = Double(bits & 0x3FF)
        let magnitude: Double =
            switch exponent {
            case 0: fraction * 0x1p-24
            case 31: fraction == 0 ? .infinity : .nan
            default:
                Double(sign: .plus, exponent: exponent - 15, significand: 1 + fraction * 0x1p-10)
            }
        return bits & 0x8000 == 0 ? magnitude : -magnitude
    }
}
