#include "engine/backend/selftest_cases.h"

#include "engine/backend/selftest_groups.h"

namespace engine::backend {

SelfTestBuild inSubmissions(const SelfTestBuild& build)
{
    return [build](OpGraph& graph) {
        build(graph);
        graph.options.submissionWork = 1e4;
    };
}

std::vector<SelfTestCase> selfTestCases()
{
    SelfTestList cases;
    addLookups(cases);
    addElementwise(cases);
    addNorms(cases);
    addPieces(cases);
    addProducts(cases);
    addRopes(cases);
    addAttention(cases);
    addExperts(cases);
    addStates(cases);
    return cases;
}

} // namespace engine::backend
