// khr_matrices FROM TO: rewrites a SPIR-V module (see khr_matrices.h).
// SPDX-License-Identifier: Apache-2.0
#include "shaders/tools/khr_matrices.h"

#include <cstdio>
#include <fstream>
#include <iterator>

namespace {

int failed(const char* file, const std::string& what)
{
    std::fprintf(stderr, "%s: %s\n", file, what.c_str());
    return 1;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 3) {
        std::fprintf(stderr, "usage: khr_matrices FROM TO\n");
        return 2;
    }
    std::ifstream from(argv[1], std::ios::binary);
    const std::string bytes { std::istreambuf_iterator<char>(from), {} };
    if (!from || bytes.size() % 4 != 0) {
        return failed(argv[1], from ? "no whole number of words" : "can't be read");
    }
    std::vector<std::uint32_t> words(bytes.size() / 4);
    bytes.copy(reinterpret_cast<char*>(words.data()), bytes.size());
    if (const auto problem = shaders::toKhrMatrices(words); !problem.empty()) {
        return failed(argv[1], problem);
    }
    std::ofstream to(argv[2], std::ios::binary);
    to.write(reinterpret_cast<const char*>(words.data()),
             static_cast<std::streamsize>(words.size() * 4));
    to.close();
    return to ? 0 : failed(argv[2], "can't be written");
}
