// Keys and families of keys have their texts; the particular one wins.
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/words_checks.h"
#include "ui/inspector/key_words.h"

class TestKeyWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void areKnown()
    {
        for (const char* key : { "general.architecture",
                                 "general.name",
                                 "general.author",
                                 "general.file_type",
                                 "general.base_model.0.name",
                                 "llama.context_length",
                                 "qwen2.embedding_length",
                                 "llama.attention.head_count",
                                 "gemma3.attention.sliding_window",
                                 "deepseek2.attention.q_lora_rank",
                                 "llama.attention.layer_norm_rms_epsilon",
                                 "llama.rope.freq_base",
                                 "llama.rope.scaling.type",
                                 "qwen2vl.rope.dimension_sections",
                                 "qwen3moe.expert_count",
                                 "deepseek2.expert_weights_norm",
                                 "mamba.ssm.conv_kernel",
                                 "rwkv6.wkv.head_size",
                                 "tokenizer.ggml.model",
                                 "tokenizer.ggml.tokens",
                                 "tokenizer.ggml.bos_token_id",
                                 "tokenizer.ggml.fim_pre_token_id",
                                 "tokenizer.ggml.add_bos_token",
                                 "tokenizer.chat_template",
                                 "tokenizer.chat_template.tool_use",
                                 "split.no",
                                 "split.count",
                                 "split.tensors.count",
                                 "quantize.imatrix.file",
                                 "imatrix.chunk_count",
                                 "adapter.lora.alpha",
                                 "clip.vision.image_size" }) {
            QVERIFY2(key_words::knows(key), key);
            tests::checkWords(key_words::about(key), key);
        }
        for (const char* key : { "", "x", "acme.secret", "attention", "xgeneral.name" }) {
            QVERIFY2(!key_words::knows(key), key);
            tests::checkWords(key_words::about(key), key);
        }
    }

    void theParticularOneWins()
    {
        const auto text = [](const char* key) { return key_words::about(key).text; };
        QVERIFY(text("tokenizer.ggml.token_type") != text("tokenizer.ggml.token_type_count"));
        QVERIFY(text("general.name") != text("general.author"));
        QVERIFY(text("llama.attention.head_count") != text("llama.attention.head_count_kv"));
        QVERIFY(text("tokenizer.ggml.eos_token_id") != text("tokenizer.ggml.eot_token_id"));
        QVERIFY(text("llama.rope.freq_base") != text("llama.rope.finetuned"));
        QVERIFY(text("llama.expert_used_count") != text("llama.expert_group_scale"));
        QCOMPARE(text("llama.attention.key_length_mla"), text("llama.attention.indexer.top_k"));
    }

    void sayWhatIsOftenToldWrong()
    {
        const auto mistake = [](const char* key) { return key_words::about(key).mistake; };
        QVERIFY(mistake("tokenizer.ggml.token_type").contains("without an s"));
        QVERIFY(mistake("tokenizer.ggml.bos_token_id").contains("tokenizer.ggml.bos_token_id"));
        QVERIFY(mistake("tokenizer.ggml.eos_token_id").contains("tokenizer.ggml.eos_token_id"));
        QVERIFY(mistake("general.file_type").contains("15"));
        QVERIFY(mistake("split.no").contains("from 0"));
    }
};

QTEST_APPLESS_MAIN(TestKeyWords)
#include "tst_key_words.moc"
