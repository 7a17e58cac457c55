package a

// Box holds.
type Box[T any] struct {
	items map[string]interface{}
}

type (
	Shape interface {
		Area() float64
	}
	Name = string
)

// Get gets.
func (b *Box[T]) Get(f func(x struct{}) interface{}) (interface{}, error) {
	s := `func fake() {`
	r := '{'
	return s, nil
}

func Map[K comparable, V any](m map[K]V) []V { return nil }

var handler = func(a int) int {
	return a
}
