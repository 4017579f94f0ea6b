// What the lexers are to find in snippets of every language.
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/code_cases.h"

namespace {

// Behind each line stand its spans. Letters: Keyword, Type, Literal, String, Number, Comment,
// Function, Property, G (tag), # (preprocessor), + and - (of a diff), Meta.
constexpr CodeCase kCases[] = {
    { "c++", "directives", R"~(
#include <vector> // c |> #<#include> S<<vector>> C<// c>
#  include "a.h" |> #<#  include> S<"a.h">
#define MAX(a, b) ((a) > (b) ? (a) : (b)) |> #<#define> F<MAX>
#error don't |> #<#error> S< don't>
)~" },
    { "c++", "numbers", R"~(
x = {1'000, 0x1Fu, 1.5e-3f, 1.f, .5, 0b101, 0x1.8p+3}; |> N<1'000> N<0x1Fu> N<1.5e-3f> N<1.f> N<.5> N<0b101> N<0x1.8p+3>
)~" },
    { "c++", "characters", R"~(
f('a', '\'', u8'x', '"', L"wide", U"u"); don't |> F<f> S<'a'> S<'\''> S<u8'x'> S<'"'> S<L"wide"> S<U"u">
)~" },
    { "c++", "types and calls", R"~(
std::vector<int> f(const Foo& x) { return g (x); } |> T<vector> T<int> F<f> K<const> T<Foo> K<return> F<g>
enum class Color : uint8_t { }; |> K<enum> K<class> T<Color> T<uint8_t>
template <typename T> class stack final { size_t n; }; |> K<template> K<typename> T<T> K<class> T<stack> K<final> T<size_t>
)~" },
    { "c++", "raw strings", R"~(
auto s = R"x(a )" b |> K<auto> S<R"x(a )" b>
  )y" "c)x" + "e\"nd"; |> S<  )y" "c)x"> S<"e\"nd">
auto t = u8R"(\)"; a |> K<auto> S<u8R"(\)">
)~" },
    { "c++", "block comments", R"~(
a /* one |> C</* one>
 two // */ nullptr /* */ true |> C< two // */> L<nullptr> C</* */> L<true>
)~" },
    { "c++", "line goes on", R"~(
a // done \ |> C<// done \>
still |> C<still>
int x = "a \ |> T<int> S<"a \>
b"; y |> S<b">
)~" },
    { "c++", "open string", R"~(
char c = "open |> T<char> S<"open>
int y; |> T<int>
)~" },
    { "c++", "coroutine", R"~(
co_await std::move(task); auto f = [this]() noexcept -> bool {}; |> K<co_await> F<move> K<auto> K<this> K<noexcept> T<bool>
)~" },
    { "c", "plain C", R"~(
static void *p = NULL; struct node *next = malloc(sizeof(struct node)); |> K<static> T<void> L<NULL> K<struct> T<node> F<malloc> K<sizeof> K<struct> T<node>
printf("%d\n", *p); goto end; |> F<printf> S<"%d\n"> K<goto>
)~" },
    { "python", "function", R"~(
def f(x: int = 3, *args) -> str: |> K<def> F<f> T<int> N<3> T<str>
    return None  # c |> K<return> L<None> C<# c>
)~" },
    { "python", "classes and decorators", R"~(
@app.route("/x") |> M<@app.route> S<"/x">
class Foo(Bar): pass |> K<class> T<Foo> T<Bar> K<pass>
)~" },
    { "python", "docstring", R"~(
    """Doc "x" |> S<"""Doc "x">
  # no comment |> S<  # no comment>
    more""" ; x = True |> S<    more"""> L<True>
)~" },
    { "python", "f-strings", R"~(
f"a {x!r:>{width}} {{no}} {d['k']:.2f} b" |> S<f"a > K<{> S<:>{width}> K<}> S< {{no}} > K<{> S<'k'> S<:.2f> K<}> S< b">
rf'\d{len(x) + 1}' + f"{ {'a': 1}['a'] }" |> S<rf'\d> K<{> F<len> N<1> K<}> S<'> S<f"> K<{> S<'a'> N<1> S<'a'> K<}> S<">
)~" },
    { "python", "nested f-strings", R"~(
f'{f"{f'{f"{deep}"}'}"}' |> S<f'> K<{> S<f"> K<{> S<f'> K<{> S<f"> K<{> K<}> S<"> K<}> S<'> K<}> S<"> K<}> S<'>
)~" },
    { "python", "f-string over lines", R"~(
y = f"""a |> S<f"""a>
{", ".join( |> K<{> S<", "> F<join>
  z for z in y)} end {q |> K<for> K<in> K<}> S< end > K<{>
}""" ; 1 |> K<}> S<"""> N<1>
)~" },
    { "python", "prefixes", R"~(
x = rb'raw\n' + b"x" + u'y' + z"no" |> S<rb'raw\n'> S<b"x"> S<u'y'> S<"no">
)~" },
    { "python", "triple single", R"~(
'''a " ' |> S<'''a " '>
\''' b''' c |> S<\''' b'''>
)~" },
    { "python", "soft keywords", R"~(
match x: |> K<match>
    case Point(x=0): match = 1 |> K<case> F<Point> N<0> N<1>
    type X = int |> K<type> T<X> T<int>
type(x) |> F<type>
)~" },
    { "python", "prompt", R"~(
>>> print("a") |> M<>>>> F<print> S<"a">
... x |> M<...>
)~" },
    { "python", "continued string", R"~(
s = "a\ |> S<"a\>
b" + 'open |> S<b"> S<'open>
c |>
)~" },
    { "python", "numbers", R"~(
1_000.5e3 + 0x1F - 3j * .5 |> N<1_000.5e3> N<0x1F> N<3j> N<.5>
)~" },
    { "python", "members", R"~(
self.print = lambda: x.type if not y else await z.list() |> K<lambda> K<if> K<not> K<else> K<await> F<list>
)~" },
    { "javascript", "regular expressions", R"~(
const re = /a[/]b\/c/gi, q = a / b / c; // x |> K<const> S</a[/]b\/c/gi> C<// x>
return /x'/.test(y); (a) / 2 / b; x = [/a/] |> K<return> S</x'/> F<test> N<2> S</a/>
)~" },
    { "javascript", "templates", R"~(
let t = `hi ${name + `in ${x}` + {a: 1}.a} end`; |> K<let> S<`hi > K<${> S<`in > K<${> K<}> S<`> N<1> K<}> S< end`>
)~" },
    { "javascript", "template over lines", R"~(
`multi |> S<`multi>
 line ${f({ |> S< line > K<${> F<f>
   a: 1 })} more` + 'x' |> N<1> K<}> S< more`> S<'x'>
)~" },
    { "javascript", "comments", R"~(
#!/usr/bin/env node |> C<#!/usr/bin/env node>
/* c |> C</* c>
d */ async function f(x) { } // e |> C<d */> K<async> K<function> F<f> C<// e>
)~" },
    { "javascript", "JSX", R"~(
const el = <div className="a">don't <Foo.Bar x={1} /> </div>; |> K<const> G<<div> S<"a"> G<<Foo.Bar> N<1> G<</div>
return <><b>it's</b></>; |> K<return> G<<> G<<b> G<</b> G<</>
if (a < b && c > d) x = a<b; |> K<if>
)~" },
    { "javascript", "modules", R"~(
import { a } from 'b'; obj.default.get(x); this.x = null; |> K<import> K<from> S<'b'> F<get> K<this> L<null>
export default class A extends B { #p = 1; static x; } |> K<export> K<default> K<class> T<A> K<extends> T<B> N<1> K<static>
)~" },
    { "javascript", "numbers", R"~(
10n + 0xff - 1_000 * .5e-3 + 1..toFixed(2) |> N<10n> N<0xff> N<1_000> N<.5e-3> N<1> F<toFixed> N<2>
)~" },
    { "javascript", "continued string", R"~(
'it\ |> S<'it\>
s' y "open |> S<s'> S<"open>
z |>
)~" },
    { "javascript", "arrows", R"~(
const f = async ({ a, ...rest }) => await g?.(a) ?? undefined; |> K<const> K<async> K<await> L<undefined>
)~" },
    { "typescript", "interface", R"~(
interface User<T> { name: string; age?: number; readonly x: Array<T>; } |> K<interface> T<User> T<T> T<string> T<number> K<readonly> T<Array> T<T>
)~" },
    { "typescript", "generics are no tags", R"~(
const f = <T,>(x: T): x is string => typeof x === "string"; |> K<const> T<T> T<T> K<is> T<string> K<typeof> S<"string">
)~" },
    { "tsx", "generics and tags", R"~(
const F: FC<P> = ({ x }) => <Box<T> a={x as any}>hi</Box>; |> K<const> T<F> T<P> G<<Box> T<T> K<as> T<any> G<</Box>
)~" },
    { "typescript", "decorators", R"~(
@Component({ a: 1 }) export abstract class X implements Y { private z: boolean } |> M<@Component> N<1> K<export> K<abstract> K<class> T<X> K<implements> T<Y> K<private> T<boolean>
)~" },
    { "typescript", "types", R"~(
type A = keyof typeof b; let x = y as unknown; enum E { One } |> K<type> T<A> K<keyof> K<typeof> K<let> K<as> T<unknown> K<enum> T<E> T<One>
)~" },
    { "typescript", "template types", R"~(
const s: `a${string}` = `a${"b"}`; |> K<const> S<`a> K<${> T<string> K<}> S<`> S<`a> K<${> S<"b"> K<}> S<`>
)~" },
    { "rust", "lifetimes and characters", R"~(
fn main<'a>(x: &'a str, y: 'static) -> Option<u8> { 'c'; '\''; '\u{1F600}'; b'x' } |> K<fn> T<'a> T<'a> T<str> T<'static> T<Option> T<u8> S<'c'> S<'\''> S<'\u{1F600}'> S<b'x'>
)~" },
    { "rust", "nested comments", R"~(
/* a /* b */ c |> C</* a /* b */ c>
still */ let x; /// doc |> C<still */> K<let> C</// doc>
)~" },
    { "rust", "raw strings", R"~(
let s = r#"raw "quoted" \"#; br"x\"; |> K<let> S<r#"raw "quoted" \"#> S<br"x\">
let r = r##"x"# |> K<let> S<r##"x"#>
"## ; y |> S<"##>
)~" },
    { "rust", "strings over lines", R"~(
let t = "multi |> K<let> S<"multi>
line \" end"; b"bytes" |> S<line \" end"> S<b"bytes">
)~" },
    { "rust", "attributes", R"~(
#![allow(dead_code)] |> M<#![allow>
#[derive(Debug, Clone)] pub struct P { x: f64 } |> M<#[derive> T<Debug> T<Clone> K<pub> K<struct> T<P> T<f64>
)~" },
    { "rust", "macros", R"~(
println!("hi {}", x); a != b; vec![1, 2] |> F<println!> S<"hi {}"> F<vec!> N<1> N<2>
)~" },
    { "rust", "labels and ranges", R"~(
'outer: loop { for i in 0..10 { break 'outer; } } |> T<'outer> K<loop> K<for> K<in> N<0> N<10> K<break> T<'outer>
)~" },
    { "rust", "numbers and turbofish", R"~(
1_000u32 + 0xff - 1.5e3 * "x".parse::<i32>()? |> N<1_000u32> N<0xff> N<1.5e3> S<"x"> F<parse> T<i32>
)~" },
    { "rust", "results", R"~(
match x { Some(y) => Ok(y), None => Err(Error::new()) } |> K<match> T<Some> T<Ok> L<None> T<Err> T<Error> F<new>
)~" },
    { "go", "function", R"~(
package main |> K<package>
import "fmt" |> K<import> S<"fmt">
func (s *Server) Run(ctx context.Context) error { return fmt.Errorf("x %w", err) } |> K<func> F<Run> T<error> K<return> F<Errorf> S<"x %w">
)~" },
    { "go", "raw strings", R"~(
q := `raw \ " |> S<`raw \ ">
still` + "a\"b" // c |> S<still`> S<"a\"b"> C<// c>
)~" },
    { "go", "types", R"~(
type Point struct { X, Y int } |> K<type> T<Point> K<struct> T<int>
var m map[string][]byte |> K<var> K<map> T<string> T<byte>
)~" },
    { "go", "runes and numbers", R"~(
r := 'x'; s := '\''; n := 0b1010 + 1_000 + 1.5e3 + 2i |> S<'x'> S<'\''> N<0b1010> N<1_000> N<1.5e3> N<2i>
)~" },
    { "go", "comments", R"~(
/* a |> C</* a>
b */ ch <- 1 |> C<b */> N<1>
)~" },
    { "go", "literals", R"~(
if err != nil && ok == true { x = iota } |> K<if> L<nil> L<true> L<iota>
)~" },
    { "go", "concurrency", R"~(
go func() { defer close(ch); select { case <-done: } }() |> K<go> K<func> K<defer> F<close> K<select> K<case>
)~" },
    { "go", "open string", R"~(
x := "open |> S<"open>
y := 1 |> N<1>
)~" },
    { "java", "class", R"~(
/** doc |> C</** doc>
 */ public class Main extends Base<T> implements Runnable { } |> C< */> K<public> K<class> T<Main> K<extends> T<Base> T<T> K<implements> T<Runnable>
)~" },
    { "java", "annotations", R"~(
@Override public String toString() { return "a" + 'b' + 1L; } |> M<@Override> K<public> T<String> F<toString> K<return> S<"a"> S<'b'> N<1L>
@interface Foo {} |> K<@interface> T<Foo>
)~" },
    { "java", "text blocks", R"~(
String s = """ |> T<String> S<""">
  text "quoted" \""" no |> S<  text "quoted" \""" no>
  """; int x = 0x1F; |> S<  """> T<int> N<0x1F>
)~" },
    { "java", "generics", R"~(
List<String> xs = new ArrayList<>(); Map<K, V[]> m; |> T<List> T<String> K<new> T<ArrayList> T<Map> T<K> T<V>
)~" },
    { "java", "records", R"~(
record Point(int x, int y) {} // r |> K<record> T<Point> T<int> T<int> C<// r>
)~" },
    { "java", "switch", R"~(
switch (o) { case null -> true; default -> { yield 'x'; } } |> K<switch> K<case> L<null> L<true> K<default> K<yield> S<'x'>
)~" },
    { "java", "lambda", R"~(
xs.stream().map(x -> x / 2.5f).forEach(System.out::println); |> F<stream> F<map> N<2.5f> F<forEach> T<System>
)~" },
    { "java", "open", R"~(
String s = "open |> T<String> S<"open>
int x = '\u0041'; |> T<int> S<'\u0041'>
)~" },
    { "bash", "variables", R"~(
echo "a $f ${f%.txt} $(basename "$f" .txt) b" 'x $y' $? $@ \$z |> F<echo> S<"a > P<$f> S< > P<${f> P<}> S< > P<$(> F<basename> S<"> P<$f> S<"> S< b"> S<'x $y'> P<$?> P<$@>
)~" },
    { "bash", "heredoc", R"~(
cat <<EOF > out.txt && ls -la |> F<cat> K<EOF> F<ls>
Hello $USER ${x} \$z |> S<Hello > P<$USER> S< > P<${x}> S< \$z>
 EOF |> S< EOF>
EOF |> K<EOF>
echo |> F<echo>
)~" },
    { "bash", "quoted heredoc with tabs", R"~(
cat <<-'END' | grep x |> F<cat> K<'END'> F<grep>
	no $x |> S<	no $x>
	END |> K<	END>
ls |> F<ls>
)~" },
    { "bash", "heredoc in a substitution", R"~(
make note -m "$(cat <<'EOF' |> F<make> S<"> P<$(> F<cat> K<'EOF'>
it's $x |> S<it's $x>
EOF |> K<EOF>
)" --all |> S<">
ls |> F<ls>
)~" },
    { "bash", "assignments", R"~(
export PATH=$HOME/bin:$PATH FOO="a b" ; FOO=bar BAZ=1 ./run.sh --opt=1 5 |> K<export> P<PATH> P<$HOME> P<$PATH> P<FOO> S<"a b"> P<FOO> P<BAZ> F<./run.sh> N<5>
x=$(ls | wc -l) y; echo $(date) z |> P<x> P<$(> F<ls> F<wc> F<y> F<echo> P<$(> F<date>
)~" },
    { "bash", "control", R"~(
for f in *.txt; do foo; done |> K<for> K<in> K<do> F<foo> K<done>
if [ -f "$x" ] && ! bar; then x; elif y; then z; fi |> K<if> F<[> S<"> P<$x> S<"> F<bar> K<then> F<x> K<elif> F<y> K<then> F<z> K<fi>
case "$1" in start) run ;; *) exit 1 ;; esac |> K<case> S<"> P<$1> S<"> K<in> F<run> K<exit> N<1> K<esac>
)~" },
    { "bash", "line goes on", R"~(
docker run \ |> F<docker>
  --rm image sh -c 'a |> S<'a>
b' $'a\'b' |> S<b'> S<$'a\'b'>
)~" },
    { "bash", "arithmetic", R"~(
x=$((1 << 3)); for ((i=0; i<10; i++)); do :; done |> P<x> P<$(> K<for> K<do> F<:> K<done>
)~" },
    { "bash", "functions and arrays", R"~(
function hello() { local name="$1"; } |> K<function> F<hello> K<local> P<name> S<"> P<$1> S<">
arr=(one two "three") ; echo ${arr[@]} a#b # c |> P<arr> S<"three"> F<echo> P<${arr> P<}> C<# c>
)~" },
    { "console", "prompt", R"~(
$ npm install # prompt |> M<$> F<npm> C<# prompt>
  $ cat <<< "here" | tee -a log 2>&1 |> M<$> F<cat> S<"here"> F<tee> N<2> N<1>
)~" },
    { "bash", "hash-bang", R"~(
#!/bin/bash |> C<#!/bin/bash>
"$x/run" arg |> S<"> P<$x> S</run">
)~" },
    { "json", "object", R"~(
{ "name": "x\"y", "n": -1.5e+3, "ok": true } |> P<"name"> S<"x\"y"> P<"n"> N<-1.5e+3> P<"ok"> L<true>
)~" },
    { "json", "nested", R"~(
{"a": [1, null, "a:b", {"c" : {}}], |> P<"a"> N<1> L<null> S<"a:b"> P<"c">
 "d": false} |> P<"d"> L<false>
)~" },
    { "jsonc", "comments", R"~(
{ // c |> C<// c>
  "a": 1, /* block |> P<"a"> N<1> C</* block>
  more */ "b": 2 } |> C<  more */> P<"b"> N<2>
)~" },
    { "json5", "bare keys", R"~(
{ key: 'v', $x: NaN, y: +1, .5 } |> P<key> S<'v'> P<$x> L<NaN> P<y> N<+1> N<.5>
)~" },
    { "json", "open string", R"~(
{"a": "open |> P<"a"> S<"open>
"b": 1} |> P<"b"> N<1>
)~" },
    { "json", "escapes", R"~(
["\\", "\u00e9\"", ""] |> S<"\\"> S<"\u00e9\""> S<"">
)~" },
    { "json", "key without value", R"~(
{"a" |> S<"a">
: 1, "b"   : 2} |> N<1> P<"b"> N<2>
)~" },
    { "jsonl", "lines", R"~(
{"a":1} |> P<"a"> N<1>
{"b":"two"} |> P<"b"> S<"two">
)~" },
    { "yaml", "mapping", R"~(
name: value # c |> P<name> C<# c>
on: true |> P<on> L<true>
url: http://x.y:80/#z |> P<url>
time: 12: 30 |> P<time>
)~" },
    { "yaml", "document", R"~(
%YAML 1.2 |> M<%YAML 1.2>
--- # d |> M<---> C<# d>
a: 1 |> P<a> N<1>
... |> M<...>
)~" },
    { "yaml", "quoted", R"~(
"quoted key": 'it''s' |> P<"quoted key"> S<'it''s'>
multi: "a |> P<multi> S<"a>
  b: c |> S<  b: c>
  d" # e |> S<  d"> C<# e>
)~" },
    { "yaml", "literal block", R"~(
text: | |> P<text> K<|>
  line # no comment |> S<line # no comment>
 |>
  key: no |> S<key: no>
next: >- |> P<next> K<>->
 folded |> S<folded>
end: 2 |> P<end> N<2>
)~" },
    { "yaml", "block in a list", R"~(
- | |> K<|>
 a |> S<a>
- key: |2 |> P<key> K<|2>
    deep |> S<deep>
  other: x |> P<other>
)~" },
    { "yaml", "flow", R"~(
list: [a, 1, {b: true, "c": x}] |> P<list> N<1> P<b> L<true> P<"c">
flow: {a: 1, |> P<flow> P<a> N<1>
  b: [2, |> P<b> N<2>
  x]} |>
z: ~ |> P<z> L<~>
)~" },
    { "yaml", "anchors", R"~(
base: &anchor |> P<base> M<&anchor>
  ref: *anchor |> P<ref> M<*anchor>
  <<: *base |> P<<<> M<*base>
  tag: !!str 12 |> P<tag> T<!!str> N<12>
)~" },
    { "yaml", "numbers and dates", R"~(
a: -5 |> P<a> N<-5>
b: 0x1F |> P<b> N<0x1F>
c: 1.5e-3 |> P<c> N<1.5e-3>
d: 2024-01-01 |> P<d>
e: 1.2.3 |> P<e>
)~" },
    { "yaml", "workflow", R"~(
on: |> P<on>
  push: |> P<push>
    branches: [ main ] |> P<branches>
jobs: |> P<jobs>
  - run: echo "a: b" # c |> P<run> C<# c>
)~" },
    { "html", "document", R"~(
<!DOCTYPE html> |> M<<!DOCTYPE html>>
<html lang="en"><body class='a' hidden data-x=1>a &amp; b</body> |> G<<html> P<lang> S<"en"> G<><body> P<class> S<'a'> P<hidden> P<data-x> S<1> G<>> L<&amp;> G<</body>>
)~" },
    { "html", "comments", R"~(
<!-- c -- <b> |> C<<!-- c -- <b>>
 more --> <b>x</b> |> C< more -->> G<<b>> G<</b>>
)~" },
    { "html", "script", R"~(
<script src="x.js" defer> |> G<<script> P<src> S<"x.js"> P<defer> G<>>
const x = `a ${b} |> K<const> S<`a > K<${> K<}>
</b> ${c}`; if (a < b) "</div>" |> S<</b> > K<${> K<}> S<`> K<if> S<"</div>">
</script> let |> G<</script>>
)~" },
    { "html", "style", R"~(
<style> |> G<<style>>
body, a:hover { color: #fff; } |> G<body> G<a> K<:hover> P<color> N<#fff>
/* c |> C</* c>
 */ p { margin: 0 auto !important } |> C< */> G<p> P<margin> N<0> K<!important>
</style> p { color: red } |> G<</style>>
)~" },
    { "html", "tag over lines", R"~(
<input |> G<<input>
  type="text |> P<type> S<"text>
  more" disabled |> S<  more"> P<disabled>
/> |> G</>>
text |>
)~" },
    { "vue", "bindings", R"~(
<Foo @click="x = 1" :y='z' v-if="a"/> |> G<<Foo> P<@click> S<"x = 1"> P<:y> S<'z'> P<v-if> S<"a"> G</>>
)~" },
    { "xml", "instructions", R"~(
<?xml version="1.0"?><svg:rect x="1"/><![CDATA[ <x> |> M<<?xml version="1.0"?>> G<<svg:rect> P<x> S<"1"> G</><![CDATA[> S< <x>>
 ]]> y |> S< ]]>>
)~" },
    { "html", "not quite", R"~(
a < b &c; &#x41; <> </> < p> |> L<&c;> L<&#x41;>
<a <b> |> G<<a> G<<b>>
)~" },
    { "css", "at rules", R"~(
@media (max-width: 600px) { a:hover { --x: 1.5em; width: calc(100% - var(--y)) } } |> K<@media> P<max-width> N<600px> G<a> K<:hover> P<--x> N<1.5em> P<width> F<calc> N<100%> F<var> P<--y>
.a > #b::before { background: url(http://x/y) no-repeat; content: "x" } |> T<.a> T<#b> K<::before> P<background> F<url> S<http://x/y> P<content> S<"x">
)~" },
    { "sql", "query", R"~(
SELECT u.name, COUNT(*) AS n FROM users u WHERE id = $1 AND t IS NOT NULL -- c |> K<SELECT> F<COUNT> K<AS> K<FROM> K<WHERE> P<$1> K<AND> K<IS> K<NOT> L<NULL> C<-- c>
)~" },
    { "sql", "strings", R"~(
select E'a\'b', 'it''s', N'x' from t where a = 'open |> K<select> S<E'a\'b'> S<'it''s'> S<N'x'> K<from> K<where> S<'open>
close' limit 10; |> S<close'> K<limit> N<10>
)~" },
    { "postgresql", "dollar quotes", R"~(
CREATE FUNCTION f() RETURNS int AS $body$ begin return 'x' $1 $$; |> K<CREATE> K<FUNCTION> F<f> K<RETURNS> T<int> K<AS> S<$body$ begin return 'x' $1 $$;>
end $body$ LANGUAGE plpgsql; select $$a$b$$; |> S<end $body$> K<LANGUAGE> K<plpgsql> K<select> S<$$a$b$$>
)~" },
    { "sql", "quoted names", R"~(
INSERT INTO `t` (a, [b c], "d") VALUES (1.5, :p, @v); |> K<INSERT> K<INTO> P<`t`> P<[b c]> P<"d"> K<VALUES> N<1.5> P<:p> P<@v>
select "multi |> K<select> P<"multi>
line" from x |> P<line"> K<from>
)~" },
    { "sql", "comments", R"~(
/* x |> C</* x>
y */ select 1 -- z |> C<y */> K<select> N<1> C<-- z>
# mysql |> C<# mysql>
)~" },
    { "sql", "table", R"~(
create table Foo (id INTEGER PRIMARY KEY, d timestamp DEFAULT current_timestamp); |> K<create> K<table> T<INTEGER> K<PRIMARY> K<KEY> T<timestamp> K<DEFAULT> K<current_timestamp>
)~" },
    { "sql", "casts and members", R"~(
select x::text, t.date, array[1] from t |> K<select> T<text> N<1> K<from>
)~" },
    { "sql", "window", R"~(
sum(x) OVER (PARTITION BY y ORDER BY z) |> F<sum> K<OVER> K<PARTITION> K<BY> K<ORDER> K<BY>
)~" },
    { "diff", "git", R"~(
diff --git a/x b/x |> M<diff --git a/x b/x>
index 123..456 100644 |> M<index 123..456 100644>
--- a/x |> M<--- a/x>
+++ b/x |> M<+++ b/x>
@@ -1,3 +1,3 @@ int f() |> M<@@ -1,3 +1,3 @@>
 a |>
-b |> -<-b>
+c |> +<+c>
 d |>
\ No newline at end of file |> C<\ No newline at end of file>
)~" },
    { "diff", "dashes within a hunk", R"~(
@@ -1,2 +1,2 @@ |> M<@@ -1,2 +1,2 @@>
--- b |> -<--- b>
+++ c |> +<+++ c>
 d |>
--- a/y |> M<--- a/y>
)~" },
    { "diff", "second file", R"~(
@@ -1 +1 @@ |> M<@@ -1 +1 @@>
-x |> -<-x>
+y |> +<+y>
--- a/y |> M<--- a/y>
+++ b/y |> M<+++ b/y>
)~" },
    { "diff", "no counts", R"~(
@@ ... @@ |> M<@@ ... @@>
-x |> -<-x>
+y |> +<+y>
 z |>
)~" },
    { "diff", "oldest form", R"~(
3,5c3,6 |> M<3,5c3,6>
< a |> -<< a>
--- |> M<--->
> b |> +<> b>
)~" },
    { "diff", "renames", R"~(
similarity index 90% |> M<similarity index 90%>
rename from a |> M<rename from a>
new file mode 100644 |> M<new file mode 100644>
Binary files a and b differ |> M<Binary files a and b differ>
)~" },
    { "diff", "context form", R"~(
*** a.c |> M<*** a.c>
! changed |> +<! changed>
+ added |> +<+ added>
- gone |> -<- gone>
)~" },
    { "diff", "only lines", R"~(
+a |> +<+a>
-b |> -<-b>
c |>
)~" },
    { "patch", "mail", R"~(
From 0123 Mon Sep 17 00:00:00 2001 |> M<From 0123 Mon Sep 17 00:00:00 2001>
Subject: [PATCH] x |> M<Subject: [PATCH] x>
--- |> M<--->
 a | 2 +- |>
)~" },
};

} // namespace

std::span<const CodeCase> codeCases()
{
    return kCases;
}
