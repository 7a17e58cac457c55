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
