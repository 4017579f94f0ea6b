#include "engine/model/tensor_fit.h"

#include "engine/model/architectures/architecture.h"

#include <string_view>
#include <unordered_set>

namespace engine::model {

TensorFit fitTensors(const gguf::GgufFile& file, const Hparams& hparams)
{
    WeightBinder binder(file, BindMode::Survey);
    const auto composition = std::make_shared<Composition>();
    {
        Composer composer(hparams, binder, *composition);
        architecture(hparams.architecture)->compose(composer);
    }
    TensorFit fit {
        binder.takeExpected(),           {},         binder.takeErrors(), composition->graph.kv,
        composition->graph.stateBytes(), composition
    };
    std::unordered_set<std::string_view> names;
    for (const ExpectedTensor& tensor : fit.expected) {
        names.insert(tensor.name);
    }
    for (const auto& tensor : file.tensors()) {
        if (!names.contains(tensor.name) && !binder.isIgnored(tensor.name)) {
            fit.unused.push_back(&tensor);
        }
    }
    return fit;
}

} // namespace engine::model
