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
