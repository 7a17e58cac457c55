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
