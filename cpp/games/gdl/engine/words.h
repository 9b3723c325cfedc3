// A position as machine words, in the form that an engine gives it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace kibitz::gdl {

// The network keeps one bit per fluent, the prover one word per fluent that holds, ascending ids of terms. A value,
// with room for small positions inside, so that copying those needs no heap.
class Words {
 public:
  Words() = default;
  explicit Words(std::size_t size) { resize(size); }
  void resize(std::size_t size) {  // and sets all words to 0
    size_ = size;
    if (size > kInline)
      more_.assign(size, 0);
    else
      few_.fill(0), more_.clear();
  }
  std::size_t size() const { return size_; }
  std::uint64_t* data() { return size_ > kInline ? more_.data() : few_.data(); }
  const std::uint64_t* data() const { return size_ > kInline ? more_.data() : few_.data(); }
  std::span<const std::uint64_t> span() const { return {data(), size_}; }
  friend bool operator==(const Words&, const Words&) = default;

 private:
  static constexpr std::size_t kInline = 6;
  std::array<std::uint64_t, kInline> few_{};
  std::vector<std::uint64_t> more_;
  std::uint32_t size_ = 0;
};

}  // namespace kibitz::gdl
