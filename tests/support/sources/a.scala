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
