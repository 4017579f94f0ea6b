// Names of tensors to blocks, parts and reading order.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/tensor_role.h"

#include <QTest>

using namespace engine::model;

class TestTensorRole : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsThePart_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("block");
        QTest::addColumn<int>("part");
        QTest::addColumn<QString>("label");
        const auto row = [](const char* name, int block, Part part, const char* label) {
            QTest::newRow(name) << name << block << static_cast<int>(part) << label;
        };
        row("blk.0.attn_q.weight", 0, Part::Attention, "attn_q");
        row("blk.17.attn_q.bias", 17, Part::Attention, "attn_q.bias");
        row("blk.3.attn_something_new.weight", 3, Part::Attention, "attn_something_new");
        row("blk.3.ffn_down.weight", 3, Part::FeedForward, "ffn_down");
        row("blk.3.ffn_down.7.weight", 3, Part::Experts, "ffn_down.7");
        row("blk.3.ffn_gate_inp.weight", 3, Part::Experts, "ffn_gate_inp");
        row("blk.3.exp_probs_b.bias", 3, Part::Experts, "exp_probs_b.bias");
        row("blk.3.ssm_a", 3, Part::StateSpace, "ssm_a");
        row("blk.3.shortconv.conv.weight", 3, Part::StateSpace, "shortconv.conv");
        row("blk.3.mystery.weight", 3, Part::Other, "mystery");
        row("enc.blk.2.attn_k.weight", 2, Part::Attention, "attn_k");
        row("token_embd.weight", -1, Part::Input, "token_embd");
        row("rope_freqs.weight", -1, Part::Input, "rope_freqs");
        row("output_norm.weight", -1, Part::Output, "output_norm");
        row("output.bias", -1, Part::Output, "output.bias");
        row("mystery", -1, Part::Other, "mystery");
        // None of these has a block.
        row("blk.x.attn_q.weight", -1, Part::Other, "blk.x.attn_q");
        row("blk.0", -1, Part::Other, "blk.0");
        row("blk.0.", -1, Part::Other, "blk.0.");
        row("blk.-1.attn_q.weight", -1, Part::Other, "blk.-1.attn_q");
        row("blk.99999999999.attn_q.weight", -1, Part::Other, "blk.99999999999.attn_q");
        row("a.b.blk.0.attn_q.weight", -1, Part::Other, "a.b.blk.0.attn_q");
        row(".weight", -1, Part::Other, ".weight");
        row("", -1, Part::Other, "");
    }
    void findsThePart()
    {
        QFETCH(const QString, name);
        const std::string text = name.toStdString();
        const TensorRole role = tensorRole(text);
        QTEST(role.block ? static_cast<int>(*role.block) : -1, "block");
        QTEST(static_cast<int>(role.part), "part");
        QTEST(QString::fromStdString(shortName(role)), "label");
        QCOMPARE(role.stack, name.startsWith("enc.") ? std::string_view("enc") : "");
    }

    // As a token meets them.
    void keepsReadingOrder()
    {
        const char* const order[] = {
            "attn_norm",      "attn_q",       "attn_k",        "attn_v",      "attn_q_norm",
            "attn_new",       "attn_output",  "ssm_conv1d",    "ssm_new",     "ssm_out",
            "ffn_norm",       "ffn_gate_inp", "ffn_gate_exps", "ffn_up_exps", "ffn_down_exps",
            "ffn_down_shexp", "ffn_gate",     "ffn_up",        "ffn_down",    "post_ffw_norm",
            "mystery",
        };
        std::uint32_t before = 0;
        for (const char* stem : order) {
            const std::string name = std::string("blk.0.") + stem + ".weight";
            const auto rank = tensorRole(name).rank;
            QVERIFY2(rank > before || before == 0, stem);
            before = rank;
        }
        QVERIFY(tensorRole("output_norm.weight").rank < tensorRole("output.weight").rank);
    }

    void knowsNorms()
    {
        QVERIFY(isNorm(tensorRole("blk.0.attn_norm.weight")));
        QVERIFY(isNorm(tensorRole("blk.0.attn_norm.bias")));
        QVERIFY(!isNorm(tensorRole("blk.0.attn_q.weight")));
    }
};

QTEST_APPLESS_MAIN(TestTensorRole)
#include "tst_tensor_role.moc"
