module Outer
  class Box < Base
    attr_reader :end, :class
    # Says.
    def self.make(a, b = {})
      return if a
      while a do
        x = if b then 1 else 2 end
      end
      text = <<~ONE + <<-'TWO'
        def fake
      ONE
        end #{
      TWO
      [1].each do |i| puts i unless i end
      %w[end if].map { |w| w =~ /end["']/ }
    end
    def empty?; "#{"end"}" end
    def [](key) = @all[key]
    def value=(v)
      @value = v / 2
    end
    class << self
      def inner
        case 1
        when 1 then begin; end
        end
      end
    end
  end
end
=begin
def commented
=end
Point = Struct.new(:x, :y) do
  def length
    Math.sqrt(x)
  end
end
__END__
def after
