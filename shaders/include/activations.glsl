// Functions of one number, numbered as model::Activation; forms as in backend/cpu/activate.cpp.
// SPDX-License-Identifier: Apache-2.0
//
// `function` is meant to be a specialization constant. No finite x gives NaN or more than it should, whatever a
// device makes of exp far out: arguments are cut where the result no longer changes.

const float kFarOut = 80.0; // exp(±80) is an ordinary float, σ(-80) as good as 0

/// eˣ for x ≤ 0.
float decay(float x)
{
    return exp(max(x, -kFarOut));
}

/// eˣ - 1 for x ≤ 0; near 0, where that cancels, the Taylor polynomial of degree 8.
float decayMinus1(float x)
{
    const float close = x
        * (1.0 + x / 2.0
               * (1.0 + x / 3.0
                      * (1.0 + x / 4.0
                             * (1.0 + x / 5.0 * (1.0 + x / 6.0 * (1.0 + x / 7.0 * (1.0 + x / 8.0)))))));
    return x > -0.5 ? close : decay(x) - 1.0;
}

/// log(1 + x) for 0 ≤ x ≤ 1: twice the series of artanh(s), s = x / (2 + x) ≤ 1/3 (Abramowitz and Stegun 4.1.27).
float logOf1Plus(float x)
{
    const float s = x / (2.0 + x);
    const float q = s * s;
    return 2.0 * s
        * (1.0
           + q * (1.0 / 3.0
                  + q * (1.0 / 5.0 + q * (1.0 / 7.0 + q * (1.0 / 9.0 + q * (1.0 / 11.0 + q / 13.0))))));
}

float logistic(float x)
{
    return 1.0 / (1.0 + exp(-clamp(x, -kFarOut, kFarOut)));
}

/// x σ(y), where y has the sign of x: 0 far below.
float logisticPart(float x, float y)
{
    return y < -kFarOut ? 0.0 : x / (1.0 + exp(-min(y, kFarOut)));
}

/// 1 - 2 / (e²ˣ + 1); near 0, where that cancels, the Taylor polynomial of degree 7.
float hyperbolicTangent(float x)
{
    const float size = min(abs(x), kFarOut / 4.0);
    const float far = 1.0 - 2.0 / (exp(2.0 * size) + 1.0);
    const float q = size * size;
    const float close = size * (1.0 + q * (-1.0 / 3.0 + q * (2.0 / 15.0 - q * (17.0 / 315.0))));
    const float y = size < 0.2 ? close : far;
    return x < 0.0 ? -y : y;
}

/// x Φ(x) = max(x, 0) - |x|/2 erfc(|x|/√2), with erfc to 1.5e-7 by Abramowitz and Stegun 7.1.26.
float gaussianPart(float x)
{
    const float size = min(abs(x), 12.0); // erfc is 0 from there on
    const float z = size * 0.70710678;
    const float t = 1.0 / (1.0 + 0.3275911 * z);
    const float poly = t
        * (0.254829592
           + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
    return max(x, 0.0) - 0.5 * size * poly * decay(-z * z);
}

float softplus(float x)
{
    return max(x, 0.0) + logOf1Plus(decay(-abs(x)));
}

float activate(uint function, float x)
{
    switch (function) {
    case 1u: // Silu
        return logisticPart(x, x);
    case 2u: // Gelu: x/2 (1 + tanh(u)) = x σ(2u), u = √(2/π) (x + 0.044715 x³)
        return logisticPart(x, x * (1.59576912 + 0.07135481 * x * x));
    case 3u: // GeluErf
        return gaussianPart(x);
    case 4u: // GeluQuick
        return logisticPart(x, 1.702 * x);
    case 5u: // Relu
        return max(x, 0.0);
    case 6u: // ReluSquared
        return max(x, 0.0) * max(x, 0.0);
    case 7u: // Sigmoid
        return logistic(x);
    case 8u: // Tanh
        return hyperbolicTangent(x);
    case 9u: // Softplus
        return softplus(x);
    default: // Identity
        return x;
    }
}

vec4 activate4(uint function, vec4 x)
{
    return vec4(activate(function, x.x), activate(function, x.y), activate(function, x.z),
                activate(function, x.w));
}

/// What op::Gate makes of one number.
float gated(uint function, float limit, float gate, float up)
{
    if (limit > 0.0) {
        const float g = min(gate, limit);
        return logisticPart(g, 1.702 * g) * (clamp(up, -limit, limit) + 1.0);
    }
    return activate(function, gate) * up;
}

vec4 gated4(uint function, float limit, vec4 gate, vec4 up)
{
    return vec4(gated(function, limit, gate.x, up.x), gated(function, limit, gate.y, up.y),
                gated(function, limit, gate.z, up.z), gated(function, limit, gate.w, up.w));
}
