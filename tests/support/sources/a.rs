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
