#include "engine/backend/node_form.h"

#include "engine/model/node_slots.h"
#include "engine/model/node_weights.h"

namespace engine::backend {

namespace {

namespace op = model::op;

std::string text(std::uint64_t number)
{
    return std::to_string(number);
}

/// Words with commas between.
class Form
{
public:
    void add(const std::string& words) { m_text += (m_text.empty() ? "" : ", ") + words; }
    void addIf(bool isThere, const std::string& words)
    {
        if (isThere) {
            add(words);
        }
    }
    [[nodiscard]] const std::string& text() const { return m_text; }

private:
    std::string m_text;
};

class FormVisitor
{
public:
    FormVisitor(const model::Graph& graph, Form& form)
        : m_graph(graph)
        , m_form(form)
    {
    }

    void operator()(const op::Attention& op)
    {
        const auto& layer = m_graph.kv.layers[op.layer];
        m_form.add(text(op.heads) + " heads of " + text(layer.keyLength)
                   + (layer.valueLength == layer.keyLength
                          ? std::string()
                          : std::string("/").append(text(layer.valueLength)))
                   + " on " + text(layer.heads));
        m_form.addIf(op.window > 0, "window " + text(op.window));
        m_form.addIf(op.chunk > 0, "chunks of " + text(op.chunk));
        m_form.addIf(op.softCap > 0, "soft cap");
        m_form.addIf(op.alibi > 0, "ALiBi");
        m_form.addIf(op.sinks && *op.sinks, "sinks");
    }
    void operator()(const op::Rope& op)
    {
        const auto& parameters = *op.parameters;
        m_form.add(text(op.heads) + " heads, " + text(parameters.dimensions) + " of "
                   + text(op.headLength));
        m_form.addIf(op.offset > 0, "from " + text(op.offset));
        m_form.addIf(parameters.pairs == model::RopePairs::Halves, "halves");
        m_form.addIf(parameters.yarn, "YaRN");
        m_form.addIf(!parameters.factors.empty() || !parameters.longFactors.empty(), "factors");
        m_form.add("base " + text(static_cast<std::uint64_t>(parameters.base)));
    }
    void operator()(const op::RmsNorm& op) { addPieces(op.in, op.pieces); }
    void operator()(const op::LayerNorm& op) { addPieces(op.in, op.pieces); }
    void operator()(const op::Activate& op) { addFunction(op.function); }
    void operator()(const op::Gate& op)
    {
        addFunction(op.function);
        m_form.addIf(op.limit > 0, "limit");
        m_form.addIf(width(op.up) == 1, "one number");
    }
    void operator()(const op::Linear& op)
    {
        m_form.addIf(op.targets.front().bias != nullptr, "bias");
    }
    void operator()(const op::ExpertLinear& op)
    {
        m_form.add(text(op.used) + " of " + text(op.targets.front().experts->count));
        m_form.addIf(width(op.in) != op.targets.front().experts->all.columns, "an input for each");
    }
    void operator()(const op::Route& op)
    {
        m_form.add(text(op.used) + " of " + text(width(op.scores)));
        m_form.addIf(op.groups > 1, text(op.groups) + " groups");
        m_form.add(op.gating == op::Route::Gating::Softmax       ? "softmax"
                       : op.gating == op::Route::Gating::Sigmoid ? "sigmoid"
                                                                 : "softmax of the chosen");
    }
    template <typename Other>
    void operator()(const Other& /*op*/)
    {
    }

private:
    [[nodiscard]] std::uint32_t width(model::Slot slot) const
    {
        return m_graph.slotWidths[static_cast<std::size_t>(slot)];
    }
    void addPieces(model::Slot in, std::uint32_t pieces)
    {
        m_form.addIf(pieces > 1, text(pieces) + " pieces");
        m_form.add(text(width(in) / pieces));
    }
    void addFunction(model::Activation function)
    {
        static constexpr const char* kNames[] = { "identity",     "silu",       "gelu",
                                                  "gelu_erf",     "gelu_quick", "relu",
                                                  "relu_squared", "sigmoid",    "tanh",
                                                  "softplus" };
        m_form.add(kNames[static_cast<int>(function)]);
    }

    const model::Graph& m_graph;
    Form& m_form;
};

} // namespace

std::string nodeForm(const model::Node& node, const model::Graph& graph)
{
    Form form;
    model::forEachMatrix(node, [&](const model::Matrix& matrix) {
        form.add(std::string(gguf::tensorTypeInfo(matrix.type).name) + " " + text(matrix.columns)
                 + " × " + text(matrix.rows));
    });
    std::visit(FormVisitor(graph, form), node);
    if (form.text().empty()) {
        model::forEachSlot(node, [&](model::Slot slot, model::SlotAccess access) {
            if (access != model::SlotAccess::Read) {
                form.add(text(graph.slotWidths[static_cast<std::size_t>(slot)]));
            }
        });
    }
    return form.text();
}

} // namespace engine::backend
