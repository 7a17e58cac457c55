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
    String text() { return """
        } "{ """; }
    enum Kind { ONE(1) { int cost() { return 1; } }, TWO; Kind(int a) {} Kind() {} int cost() { return 0; } }
    record Point(int x, int y) { Point { check(x); } }
    interface Shape { double area(); default void draw() {} }
}
