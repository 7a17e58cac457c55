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
