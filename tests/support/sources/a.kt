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
