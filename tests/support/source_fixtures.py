"""Small sources with what misleads a parser, and the symbols that are in them."""

from __future__ import annotations

# path -> (text, "qualified kind line-end" of each symbol in order)
FIXTURES: dict[str, tuple[str, str]] = {
    "a.ts": (
        """\
import { x } from './x'

/** Says it. */
export async function say<T extends { a: string }>(
  { a, b }: { a: string; b: number } = { a: '{', b: 1 },
): Promise<{ ok: boolean }> {
  const nested = `out ${ [1].map((n) => { return `in ${n} }` }) } {`
  return { ok: /[/}{]"/.test(a) }
}
@mark({ selector: '}' })
export class Box<T> extends Base<{ k: T }> {
  private size = 1 / 2 / 3
  #hidden = 0
  handle = async (event: Event): Promise<void> => {
    if (event) { return }
  }
  static make(): Box<string> { return new Box() }
  get value(): T | undefined { return undefined }
  constructor(private readonly inner: Map<string, () => void>) { super() }
  async *[Symbol.iterator]() { yield 1 }
  abstract later(): void
}
export const arrow = (a: number) => a + 1
const api = {
  load() { return 1 },
  'save-all': function () { return 2 },
  deep: { run: () => { return 3 } },
}
interface Shape { area(): number }
enum Color { Red, Green }
type Pair<A, B = string> =
  | [A, B]
  | { left: A }
namespace Inner {
  export function leaf() {}
}
exports.run = function named() { return don_t }
Box.prototype.late = function () {}
""",
        """\
say function 4-9
Box class 11-22
Box.handle method 14-16
Box.make method 17-17
Box.value method 18-18
Box.constructor method 19-19
Box.[Symbol.iterator] method 20-20
arrow function 23-23
api.load method 25-25
api.save-all method 26-26
api.deep.run method 27-27
Shape interface 29-29
Color enum 30-30
Pair type 31-33
Inner module 34-36
Inner.leaf function 35-35
exports.run method 37-37
Box.late method 38-38
""",
    ),
    "a.jsx": (
        """\
const View = ({ items }) => {
  const click = () => { go() }
  return (
    <div onClick={() => { click() }} title="}">
      Don't stop { items.map((item) => <Row key={item} />) } {/* } */}
    </div>
  )
}
export default function App() {
  return <View items={[1 / 2, 3]} />
}
const made = (function () { return 1 })()
""",
        """\
View function 1-8
View.click function 2-2
App function 9-11
""",
    ),
    "a.go": (
        """\
package a

// Box holds.
type Box[T any] struct {
\titems map[string]interface{}
}

type (
\tShape interface {
\t\tArea() float64
\t}
\tName = string
)

// Get gets.
func (b *Box[T]) Get(f func(x struct{}) interface{}) (interface{}, error) {
\ts := `func fake() {`
\tr := '{'
\treturn s, nil
}

func Map[K comparable, V any](m map[K]V) []V { return nil }

var handler = func(a int) int {
\treturn a
}
""",
        """\
Box struct 4-6
Shape interface 9-11
Name type 12-12
Box.Get method 16-20
Map function 22-22
handler function 24-26
""",
    ),
    "a.rs": (
        """\
/// Doc }
#[derive(Debug)]
pub struct Pair<'a, T> where T: Clone {
    left: &'a T,
}
impl<'a, T: Fn(u8) -> u8> fmt::Display for crate::Pair<'a, T> where T: Clone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let c = '{'; let s = r#"} " {"#; /* { /* } */ */
        write!(f, "{}", c)
    }
}
pub trait Shape {
    fn area(&self) -> [u8; 4];
    fn twice(&self) -> f64 { 2.0 }
}
macro_rules! make {
    ($name:ident) => { fn $name() {} };
}
mod tests {
    #[test]
    fn works() { assert!(true) }
}
pub(crate) async unsafe fn run(x: impl Into<String>) -> Result<(), Box<dyn Error>> {
    fn inner() {}
    Ok(())
}
enum Kind { A { x: u8 }, B }
""",
        """\
Pair struct 3-5
Pair.fmt method 7-10
Shape trait 12-15
Shape.area method 13-13
Shape.twice method 14-14
make macro 16-18
tests module 19-22
tests.works function 21-21
run function 23-26
run.inner function 24-24
Kind enum 27-27
""",
    ),
    "A.java": (
        """\
package a;

@Name("class Fake {")
public class Outer<T extends Comparable<T>> extends Base implements Runnable {
    private static final int[] SIZES = {1, 2};
    static { init(); }
    Outer(int a) throws IOException { this.a = a; }
    @Override
    public void run() {
        Runnable r = new Runnable() {
            public void run() { char c = '}'; }
        };
        for (int i = 0; i < 3; i++) { go(() -> { stop(); }); }
    }
    abstract Map<String, List<int[]>> later(@Size({1, 2}) int a);
    String text() { return \"\"\"
        } "{ \"\"\"; }
    enum Kind { ONE(1) { int cost() { return 1; } }, TWO; Kind(int a) {} Kind() {} int cost() { return 0; } }
    record Point(int x, int y) { Point { check(x); } }
    interface Shape { double area(); default void draw() {} }
}
""",
        """\
Outer class 4-21
Outer.Outer method 7-7
Outer.run method 9-14
Outer.run.run function 11-11
Outer.later method 15-15
Outer.text method 16-17
Outer.Kind enum 18-18
Outer.Kind.cost method 18-18
Outer.Kind.Kind method 18-18
Outer.Kind.Kind method 18-18
Outer.Kind.cost method 18-18
Outer.Point class 19-19
Outer.Point.Point method 19-19
Outer.Shape interface 20-20
Outer.Shape.area method 20-20
Outer.Shape.draw method 20-20
""",
    ),
    "a.c": (
        """\
#include <stdio.h>
#define LOOP(x) for (;;) { \\
  x; {

/* { */
struct point { int x; };
typedef struct { int a; } name_t;
static const struct point origin = { 0 };
int declared(int a);

#ifdef WIN
int open_it(int a) {
#else
int open_it(char *a) {
#endif
  if (a == '}' || puts("{\\"")) { return 0; }
  return 1;
}
#if 0
int never(void) {
#endif
static struct point *
find(struct point *all, int (*same)(int, int))
{
  return all;
}
enum color { RED, GREEN };
""",
        """\
point struct 6-6
name_t struct 7-7
open_it function 12-18
find function 22-26
color enum 27-27
""",
    ),
    "a.cpp": (
        """\
namespace a::b {
template <typename T, int N = (1 > 0)>
class Box final : public Base<T>, private Other {
 public:
  Box(int a) : Base<T>{a}, size_{a} { go(); }
  ~Box() override;
  Box(const Box&) = delete;
  bool operator==(const Box& o) const noexcept { return true; }
  void operator()(int x) { auto f = [](int y) { return y; }; }
  operator bool() const { return true; }
 private:
  struct Node { int x; };
  int size_ = 1'000;
};
}
template <class T>
auto Box<T>::get(std::function<void(int)> f) const -> std::vector<T> {
  const char* s = R"x(} " )" {)x";
  return {};
}
Box::~Box() {}
extern "C" {
int plain(void) { return 0; }
}
TEST(Suite, Case) { check(); }
enum class Kind : int { A, B };
""",
        """\
Box class 3-14
Box.Box method 5-5
Box.operator== method 8-8
Box.operator() method 9-9
Box.operator bool method 10-10
Box.Node struct 12-12
Box.get method 17-20
Box.~Box method 21-21
plain function 23-23
Suite.Case method 25-25
Kind enum 26-26
""",
    ),
    "a.cs": (
        """\
using System;
namespace A.B
{
    [Serializable, Name("}")]
    public sealed class Box<T> : Base where T : class, new()
    {
        private int[] sizes = { 1, 2 };
        public Box(int a) : base(a) { }
        ~Box() { }
        public int Size { get; private set; } = 3;
        public string Name => $"{size}{{";
        public T this[int index] { get { return items[index]; } }
        public static Box<T> operator +(Box<T> a, Box<T> b) { return a; }
        void IShape.Draw<U>(U u) where U : struct
        {
            int Local(int x) { return x; }
            var made = new Point { X = 1 };
            foreach (var x in y) { Call(() => { }); }
        }
        public int Twice(int x) => x * 2;
        string Path() { return @"c:\\"; }
    }
    public interface IShape { void Draw<U>(U u); }
    public record Point(int X);
    enum Kind { A, B }
    struct Pair { }
}
""",
        """\
Box class 5-22
Box.Box method 8-8
Box.~Box method 9-9
Box.Size property 10-10
Box.Name property 11-11
Box.this property 12-12
Box.operator + method 13-13
Box.Draw method 14-19
Box.Draw.Local function 16-16
Box.Twice method 20-20
Box.Path method 21-21
IShape interface 23-23
IShape.Draw method 23-23
Point class 24-24
Kind enum 25-25
Pair struct 26-26
""",
    ),
    "a.rb": (
        """\
module Outer
  class Box < Base
    attr_reader :end, :class
    # Says.
    def self.make(a, b = {})
      return if a
      while a do
        x = if b then 1 else 2 end
      end
      text = <<~ONE + <<-'TWO'
        def fake
      ONE
        end #{
      TWO
      [1].each do |i| puts i unless i end
      %w[end if].map { |w| w =~ /end["']/ }
    end
    def empty?; "#{"end"}" end
    def [](key) = @all[key]
    def value=(v)
      @value = v / 2
    end
    class << self
      def inner
        case 1
        when 1 then begin; end
        end
      end
    end
  end
end
=begin
def commented
=end
Point = Struct.new(:x, :y) do
  def length
    Math.sqrt(x)
  end
end
__END__
def after
""",
        """\
Outer module 1-31
Outer.Box class 2-30
Outer.Box.make method 5-17
Outer.Box.empty? method 18-18
Outer.Box.[] method 19-19
Outer.Box.value= method 20-22
Outer.Box.inner method 24-28
Point class 35-39
Point.length method 36-38
""",
    ),
    "a.php": (
        """\
<html>{ function no() { }</html>
<?php
namespace A;

#[Attr]
abstract class Box extends Base implements B
{
    public function __construct(private int $a = 1) { $this->x = "{$a['}']}"; }
    abstract protected function later(): ?array;
    public static function &make(): static {
        $f = function () use ($x) { return Box::class; };
        $text = <<<EOT
            } function fake() {
            EOT;
        return new class extends Other { public function in() { } };
    }
}
interface Shape { function area(); }
trait Both { private function mix() { # }
    } }
enum Kind: string { case A = '}'; function label() { return 1; } }
function plain() { }
?>
function outside() { }
""",
        """\
Box class 6-17
Box.__construct method 8-8
Box.later method 9-9
Box.make method 10-16
Box.make.in function 15-15
Shape interface 18-18
Shape.area method 18-18
Both trait 19-20
Both.mix method 19-20
Kind enum 21-21
Kind.label method 21-21
plain function 22-22
""",
    ),
    "a.kt": (
        """\
package a

@Serializable
internal class Box<T : Any>
    internal constructor(val a: Int = 1) : Base(a), Shape by other {
    constructor(b: String) : this(b.length) { check() }
    companion object {
        fun make(): Box<Int> = Box(1)
    }
    fun <R> T.map(f: (T) -> R): R where R : Any {
        val s = "${if (a > 0) "}" else "{"}"
        return f(this)
    }
    override fun `has spaces`() = a
        .plus(1)
    abstract fun later(): Int
    val made = object : Shape { override fun area() = 1.0 }
}
fun interface Action { fun act() }
enum class Kind { A, B; fun label() = "x" }
object Single { fun get() {} }
""",
        """\
Box class 4-18
Box.constructor method 6-6
Box.make method 8-8
Box.map method 10-13
Box.has spaces method 14-15
Box.later method 16-16
Box.area method 17-17
Action interface 19-19
Action.act method 19-19
Kind enum 20-20
Kind.label method 20-20
Single object 21-21
Single.get method 21-21
""",
    ),
    "a.swift": (
        """\
@objc
public final class Box<T>: Base where T: Equatable {
    init?(a: Int = { 1 }()) { self.a = "\\(a) }" }
    deinit { stop() }
    class func make() -> Box { return Box() }
    static func == (a: Box, b: Box) -> Bool { true }
    func later<U>(_ f: (U) -> Void) async throws -> [String: U] {
        let raw = #"} " {"#
        func inner() {}
        return [:]
    }
    subscript(i: Int) -> T { items[i] }
}
extension Box.Inner: Shape {
    func area() -> Double { 1 }
}
protocol Shape {
    func area() -> Double
    init()
}
enum Kind { case a }
struct Pair {}
""",
        """\
Box class 2-13
Box.init method 3-3
Box.deinit method 4-4
Box.make method 5-5
Box.== method 6-6
Box.later method 7-11
Box.later.inner function 9-9
Box.subscript method 12-12
Inner.area method 15-15
Shape interface 17-20
Shape.area method 18-18
Shape.init method 19-19
Kind enum 21-21
Pair struct 22-22
""",
    ),
    "a.scala": (
        """\
package a

case class Box[T: Ordering](a: Int = 1)(implicit b: B) extends Base(a) with Shape {
  def +(other: Box[T]): Box[T] = {
    val c = '}'
    this
  }
  def size: Int = items
    .map(_.length)
    .sum
  def later(x: Int): Unit
  private[a] def unary_! : Boolean = s"${ "}" }".isEmpty
}
object Box { def make = new Box(1) }
trait Shape
class Other {
  def run(): Unit = if (a)
    b
  else
    c
}
""",
        """\
Box class 3-13
Box.+ method 4-7
Box.size method 8-10
Box.later method 11-11
Box.unary_! method 12-12
Box object 14-14
Box.make method 14-14
Shape trait 15-15
Other class 16-21
Other.run method 17-20
""",
    ),
    "a.sh": (
        """\
#!/bin/sh
# fake() {
one() {
  echo "$(echo "it's }" | sed 's/{//')" # }
  cat <<EOF
two() {
EOF
}
function three { echo ${a#*\\}} '{'; }
four-x () ( cd /; )
""",
        """\
one function 3-8
three function 9-9
four-x function 10-10
""",
    ),
}
