// Smooth functions of one number, 256 bits at once; included by one kernels_<isa>.cpp each after
// kernels_x86.inl, inside an unnamed namespace.

/// Applies f to n floats in place.
template <typename F>
[[gnu::always_inline]] inline void onAll(float* values, std::size_t n, F&& f)
{
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        _mm256_storeu_ps(values + i, f(_mm256_loadu_ps(values + i)));
    }
    if (i < n) {
        onTail(values + i, n - i, f);
    }
}

[[gnu::always_inline]] inline __m256 logistic(__m256 x)
{
    const __m256 one = _mm256_set1_ps(1.0F);
    return _mm256_div_ps(one,
                         _mm256_add_ps(one, exponential(_mm256_sub_ps(_mm256_setzero_ps(), x))));
}

void sigmoid(float* values, std::size_t n)
{
    onAll(values, n, [](__m256 x) { return logistic(x); });
}

/// x σ(y): the division comes last, so that it is 0 and not NaN far out.
[[gnu::always_inline]] inline __m256 gated(__m256 x, __m256 y)
{
    const __m256 e = exponential(_mm256_sub_ps(_mm256_setzero_ps(), y));
    return _mm256_div_ps(x, _mm256_add_ps(_mm256_set1_ps(1.0F), e));
}

void swish(float* values, float beta, std::size_t n)
{
    const __m256 b = _mm256_set1_ps(beta);
    onAll(values, n, [b](__m256 x) { return gated(x, _mm256_mul_ps(b, x)); });
}

/// x/2 (1 + tanh(u)) = x σ(2u)
void gelu(float* values, std::size_t n)
{
    const __m256 linear = _mm256_set1_ps(2.0F * kGeluLinear);
    const __m256 cubic = _mm256_set1_ps(2.0F * kGeluLinear * kGeluCubic);
    onAll(values, n, [=](__m256 x) {
        const __m256 inner = _mm256_fmadd_ps(cubic, _mm256_mul_ps(x, x), linear);
        return gated(x, _mm256_mul_ps(x, inner));
    });
}

/// 1 - 2 / (e²ˣ + 1); near 0, where that cancels, the Taylor polynomial of degree 7.
[[gnu::always_inline]] inline __m256 hyperbolicTangent(__m256 x)
{
    const __m256 one = _mm256_set1_ps(1.0F);
    const __m256 e = exponential(_mm256_add_ps(x, x));
    const __m256 far =
        _mm256_sub_ps(one, _mm256_div_ps(_mm256_set1_ps(2.0F), _mm256_add_ps(e, one)));
    const __m256 square = _mm256_mul_ps(x, x);
    __m256 p = _mm256_set1_ps(-17.0F / 315.0F);
    p = _mm256_fmadd_ps(p, square, _mm256_set1_ps(2.0F / 15.0F));
    p = _mm256_fmadd_ps(p, square, _mm256_set1_ps(-1.0F / 3.0F));
    p = _mm256_fmadd_ps(p, square, one);
    const __m256 close = _mm256_cmp_ps(square, _mm256_set1_ps(0.2F * 0.2F), _CMP_LT_OQ);
    return _mm256_blendv_ps(far, _mm256_mul_ps(x, p), close);
}

void softCap(float* values, float cap, std::size_t n)
{
    const __m256 most = _mm256_set1_ps(cap);
    onAll(values, n,
          [=](__m256 x) { return _mm256_mul_ps(most, hyperbolicTangent(_mm256_div_ps(x, most))); });
}

/// Rows of the state pass once for all columns of a strip.
template <int vectors>
[[gnu::always_inline]] inline void deltaStrip(float* state, float decay, const float* key,
                                              const float* change, const float* query, float* out,
                                              std::size_t rows, std::size_t width)
{
    const __m256 d = _mm256_set1_ps(decay);
    __m256 changes[vectors];
    __m256 sums[vectors];
    for (int j = 0; j < vectors; ++j) {
        changes[j] = _mm256_loadu_ps(change + 8 * j);
        sums[j] = _mm256_setzero_ps();
    }
    for (std::size_t i = 0; i < rows; ++i, state += width) {
        const __m256 k = _mm256_broadcast_ss(key + i);
        const __m256 q = _mm256_broadcast_ss(query + i);
        for (int j = 0; j < vectors; ++j) {
            const __m256 s =
                _mm256_fmadd_ps(k, changes[j], _mm256_mul_ps(d, _mm256_loadu_ps(state + 8 * j)));
            _mm256_storeu_ps(state + 8 * j, s);
            sums[j] = _mm256_fmadd_ps(q, s, sums[j]);
        }
    }
    for (int j = 0; j < vectors; ++j) {
        _mm256_storeu_ps(out + 8 * j, sums[j]);
    }
}

void deltaStep(float* state, float decay, const float* key, const float* change, const float* query,
               float* out, std::size_t rows, std::size_t width)
{
    std::size_t w = 0;
    for (; w + 32 <= width; w += 32) {
        deltaStrip<4>(state + w, decay, key, change + w, query, out + w, rows, width);
    }
    for (; w + 8 <= width; w += 8) {
        deltaStrip<1>(state + w, decay, key, change + w, query, out + w, rows, width);
    }
    for (; w < width; ++w) {
        out[w] = 0.0F;
        for (std::size_t i = 0; i < rows; ++i) {
            float& s = state[i * width + w];
            s = decay * s + key[i] * change[w];
            out[w] += query[i] * s;
        }
    }
}
