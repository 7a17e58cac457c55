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
        string Path() { return @"c:\"; }
    }
    public interface IShape { void Draw<U>(U u); }
    public record Point(int X);
    enum Kind { A, B }
    struct Pair { }
}
