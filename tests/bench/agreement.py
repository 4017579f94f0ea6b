#!/usr/bin/env python3
"""How close our answers are to llama.cpp's: first greedy tokens, and KL divergence from our own float path.

usage: agreement.py --cli build/release/app/cli/vitrine-cli --model SmolLM2-135M-Instruct.Q4_1.gguf --peer PATH/peer/run.sh
       agreement.py … --plain        for a model without instruction tuning: texts to go on with, no template

Eight prompts go through the model's chat template (the peer's rendering and token ids; ours must be the same). Then
  1. the first 32 greedy tokens of vitrine-cli and of the peer, on the CPU, are compared;
  2. at the prompt's end and at every fourth token of the answer (--step) the whole distribution of our float path (activations
     and cache F32) is the reference, from which ours (activations Q8, cache F16) and the peer's diverge by KL.
Exit status 0 where at least 6 prompts agree in all 32 tokens and our mean KL is no larger than the peer's.
"""
# SPDX-License-Identifier: Apache-2.0
import argparse
import json
import math
import os
import socket
import statistics
import subprocess
import sys
import time
import urllib.request

# Prompts with a definite answer. On open ones the two best tokens of so small a model often lie within a few hundredths
# of each other in log-probability, where either choice is right: the last prompt is one of those.
PROMPTS = [
    "Count from one to ten.",
    "Name the days of the week.",
    "List the months of the year.",
    "List three uses of a paper clip.",
    "What is 17 plus 25?",
    "Give me a Python function that reverses a string.",
    "Explain in two sentences why the sky is blue.",
    "What is the capital of France?",
]
# Texts of which a model of any size knows how they go on.
BEGINNINGS = [
    "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,",
    "Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday, Monday, Tuesday,",
    "January, February, March, April, May, June, July, August,",
    "a b c d e f g h i j",
    "The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick",
    "2 4 6 8 10 12 14 16",
    "red green blue red green blue red green blue red",
    "def add(a, b):\n    return a + b\n\n\ndef subtract(a, b):\n    return a - b\n\n\ndef multiply(a, b):",
]
ANSWER = 32
NEGLIGIBLE = 1e-12  # terms below this weight cannot be seen in the sum


class Peer:
    """llama-server on a port of its own, on the CPU, for as long as the `with` block lasts."""

    def __init__(self, run, model, threads):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        command = [run, "llama-server", "-m", model, "--device", "none", "-t", str(threads), "-c", "2048", "-np", "1",
                   "--host", "127.0.0.1", "--port", str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __enter__(self):
        for _ in range(240):
            if self.process.poll() is not None:
                sys.exit(f"the peer ended with status {self.process.returncode}: is it set up?")
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=2):
                    return self
            except OSError:
                time.sleep(0.25)
        self.__exit__()
        sys.exit("the peer did not come up within a minute")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def post(self, path, body):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=300) as reply:
            return json.load(reply)

    def chat_text(self, prompt):
        return self.post("/apply-template", {"messages": [{"role": "user", "content": prompt}]})["prompt"]

    def tokenize(self, text):
        return self.post("/tokenize", {"content": text, "add_special": True, "parse_special": True})["tokens"]

    def complete(self, tokens, count, probabilities=0):
        return self.post("/completion", {"prompt": tokens, "n_predict": count, "temperature": 0, "cache_prompt": False,
                                         "return_tokens": True, "n_probs": probabilities, "post_sampling_probs": False})

    def log_probabilities(self, tokens, vocab):
        reply = self.complete(tokens, 1, vocab)["completion_probabilities"][0]
        row = [-math.inf] * vocab
        for entry in reply["top_logprobs"]:
            if entry["logprob"] is not None:
                row[entry["id"]] = entry["logprob"]
        return normalized(row)


class Ours:
    def __init__(self, cli, model, threads):
        self.cli, self.common = cli, ["-m", model, "--device", "cpu", "--threads", str(threads), "--json"]

    def run(self, command, *arguments, text=None):
        done = subprocess.run([self.cli, command, *self.common, *arguments], input=text, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"vitrine-cli {command}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def tokenize(self, text):
        done = subprocess.run([self.cli, "tokenize", "-m", self.common[1], "--parse-special", "--json"], input=text,
                              capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"vitrine-cli tokenize: {done.stderr.strip()}")
        return json.loads(done.stdout)["ids"]

    def greedy(self, tokens, count, *options):
        reply = self.run("generate", "--tokens", ids(tokens), "--temp", "0", "-n", str(count), *options)
        return reply["ids"], reply["finish"]

    def log_probabilities(self, tokens, activations, cache):
        reply = self.run("logits", "--tokens", ids(tokens), "--all", "--activations", activations, "--cache-type", cache)
        return reply["logprobs"], reply["vocab"]

    def reference_after(self, tokens):
        return self.run("logits", "--tokens", ids(tokens), "--activations", "f32", "--cache-type", "f32")["logprobs"]


def ids(tokens):
    return ",".join(map(str, tokens))


def normalized(row):
    # The peer adds its exponentials up in float: its rows sum to 1 only within 1e-4, as much as is measured here.
    excess = math.log(math.fsum(math.exp(x) for x in row))
    return [x - excess for x in row]


def divergence(reference, other):
    total = 0.0
    for log_p, log_q in zip(reference, other):
        p = math.exp(log_p) if log_p is not None else 0.0
        if p > NEGLIGIBLE:
            total += p * (log_p - max(log_q if log_q is not None else -math.inf, -200.0))
    return total


def agreeing(first, second):
    count = 0
    for a, b in zip(first, second):
        if a != b:
            break
        count += 1
    return count


def measure(ours, peer, prompt, is_plain, step):
    text = prompt if is_plain else peer.chat_text(prompt)
    tokens = peer.tokenize(text)
    if ours.tokenize(text) != tokens:
        sys.exit(f"the token ids of {prompt!r} differ from the peer's")
    # What a conversation runs with; `generate --tokens` alone would take an F32 cache.
    mine, finish = ours.greedy(tokens, ANSWER, "--cache-type", "f16")
    reply = peer.complete(tokens, ANSWER)
    theirs = reply["tokens"]
    if finish == "end" and reply["stop_type"] == "eos" and len(theirs) == len(mine) + 1:
        theirs = theirs[:-1]  # the peer lists the token that ended the turn, we name it as the finish alone
    sequence = tokens + ours.greedy(tokens, ANSWER, "--activations", "f32", "--cache-type", "f32")[0]
    reference, vocab = ours.log_probabilities(sequence, "f32", "f32")
    rounded, _ = ours.log_probabilities(sequence, "q8", "f16")
    positions = range(len(tokens), len(sequence) + 1, step)
    kl_ours = [divergence(reference[n - 1], rounded[n - 1]) for n in positions]
    kl_peer = [divergence(reference[n - 1], peer.log_probabilities(sequence[:n], vocab)) for n in positions]
    return tokens, mine, theirs, kl_ours, kl_peer


def explain_difference(ours, tokens, mine, theirs, same):
    """How close the call was: what the float path gives to the two tokens at the first difference."""
    if same >= len(mine) or same >= len(theirs):
        return "one of the two ended its turn there"
    row = ours.reference_after(tokens + mine[:same])
    return f"float path there: ours {row[mine[same]]:.3f}, peer's {row[theirs[same]]:.3f} (log-probabilities)"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--cli", required=True)
    options.add_argument("--model", required=True)
    options.add_argument("--peer", required=True, help="run.sh of the peer")
    options.add_argument("--threads", type=int, default=os.cpu_count())
    options.add_argument("--plain", action="store_true")
    options.add_argument("--step", type=int, default=4, help="tokens between the positions that are compared")
    given = options.parse_args()
    prompts = BEGINNINGS if given.plain else PROMPTS
    model = os.path.realpath(given.model)
    ours = Ours(given.cli, model, given.threads)
    all_ours, all_peer, equal = [], [], 0
    print(f"{'prompt':58}  same tokens    KL ours    KL peer")
    with Peer(given.peer, model, given.threads) as peer:
        for prompt in prompts:
            tokens, mine, theirs, kl_ours, kl_peer = measure(ours, peer, prompt, given.plain, given.step)
            same = agreeing(mine, theirs)
            longest = max(len(mine), len(theirs))
            equal += same == longest
            all_ours += kl_ours
            all_peer += kl_peer
            print(f"{prompt.splitlines()[0][:58]:58}  {same:4} of {longest:3}  {statistics.mean(kl_ours):9.6f}  {statistics.mean(kl_peer):9.6f}",
                  flush=True)
            if same < longest:
                print(f"    {explain_difference(ours, tokens, mine, theirs, same)}", flush=True)
    mean_ours, mean_peer = statistics.mean(all_ours), statistics.mean(all_peer)
    print(f"\n{equal} of {len(prompts)} prompts have equal first {ANSWER} tokens (6 wanted)")
    print(f"mean KL from our float path over {len(all_ours)} positions: ours {mean_ours:.6f}, llama.cpp {mean_peer:.6f}")
    return 0 if equal >= 6 and mean_ours <= mean_peer else 1


if __name__ == "__main__":
    sys.exit(main())
