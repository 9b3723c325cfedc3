#include "eval/safetensors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <set>

namespace kibitz {

namespace {

constexpr std::size_t kMostHeaderBytes = std::size_t{1} << 24, kMostTensors = 10'000, kMostDimensions = 8;

struct Place {
  std::string dtype;
  std::vector<std::uint64_t> shape, offsets;
};

// Just as much JSON as a header has: objects of texts, and of tensors.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : text_(text) {}

  void read(std::map<std::string, Place>& places, std::map<std::string, std::string>& metadata) {
    bool seen = false;
    object("the header", [&](const std::string& name) {
      if (name != "__metadata__") {
        if (places.size() == kMostTensors) fail("there are too many tensors");
        if (!places.emplace(name, place(name)).second) fail("tensor " + quoted(name) + " is there twice");
        return;
      }
      if (seen) fail("__metadata__ is there twice");
      seen = true;
      object("__metadata__", [&](const std::string& key) {
        if (!metadata.emplace(key, string()).second) fail("metadata " + quoted(key) + " is there twice");
      });
    });
    skip_space();  // the header may be filled up with spaces
    if (at_ != text_.size()) fail("something follows the end of the header");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw BadInput("header of the file, byte " + std::to_string(at_) + ": " + what);
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_space() {
    while (at_ < text_.size() && std::strchr(" \t\r\n", text_[at_]) && text_[at_]) ++at_;
  }
  bool take(char c) {
    skip_space();
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(std::string("expected ") + c);
  }

  template <class F>
  void object(const std::string& what, F&& member) {
    if (!take('{')) fail(what + " must be an object");
    if (take('}')) return;
    do {
      const std::string name = string();
      expect(':');
      member(name);
    } while (take(','));
    expect('}');
  }

  Place place(const std::string& tensor) {
    Place out;
    std::set<std::string> seen;
    object("tensor " + quoted(tensor), [&](const std::string& name) {
      if (!seen.insert(name).second) fail(quoted(name) + " is there twice");
      if (name == "dtype")
        out.dtype = string();
      else if (name == "shape")
        out.shape = numbers(kMostDimensions);
      else if (name == "data_offsets")
        out.offsets = numbers(2);
      else
        fail("tensor " + quoted(tensor) + " has the unknown member " + quoted(name));
    });
    if (seen.size() != 3) fail("tensor " + quoted(tensor) + " needs dtype, shape and data_offsets");
    return out;
  }

  std::vector<std::uint64_t> numbers(std::size_t most) {
    std::vector<std::uint64_t> out;
    if (!take('[')) fail("expected a list of numbers");
    if (take(']')) return out;
    do {
      if (out.size() == most) fail("the list is too long");
      out.push_back(number());
    } while (take(','));
    expect(']');
    return out;
  }

  std::uint64_t number() {
    skip_space();
    const std::size_t begin = at_;
    std::uint64_t out = 0;
    for (; peek() >= '0' && peek() <= '9'; ++at_) {
      out = out * 10 + static_cast<std::uint64_t>(peek() - '0');
      if (out > kMostFileBytes) fail("the number is too large");
    }
    if (at_ == begin || (text_[begin] == '0' && at_ > begin + 1)) fail("expected a whole number from 0");
    return out;
  }

  std::string string() {
    if (!take('"')) fail("expected a text in quotation marks");
    std::string out;
    while (at_ < text_.size() && text_[at_] != '"') {
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c < 0x20) fail("a text has a control character");
      if (c == '\\')
        escape(out);
      else if (c < 0x80)
        out += text_[at_++];
      else
        several_bytes(out);
    }
    if (at_ == text_.size()) fail("a text has no end");
    ++at_;
    return out;
  }

  void escape(std::string& out) {
    static constexpr char kFrom[] = "\"\\/bfnrt", kTo[] = "\"\\/\b\f\n\r\t";
    ++at_;
    const char c = peek();
    if (const char* known = c ? std::strchr(kFrom, c) : nullptr) {
      out += kTo[known - kFrom];
      ++at_;
      return;
    }
    if (c != 'u') fail("a text has an unknown escape");
    std::uint32_t code = hex();
    if (code >= 0xD800 && code < 0xDC00) {  // the first half of a pair
      if (peek() != '\\' || at_ + 1 >= text_.size() || text_[at_ + 1] != 'u')
        fail("half of a surrogate pair is missing");
      ++at_;
      const std::uint32_t low = hex();
      if (low < 0xDC00 || low > 0xDFFF) fail("half of a surrogate pair is missing");
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else if (code >= 0xDC00 && code <= 0xDFFF) {
      fail("half of a surrogate pair is missing");
    }
    put(code, out);
  }

  std::uint32_t hex() {
    std::uint32_t out = 0;
    ++at_;  // the u
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = peek();
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) fail("an escape needs four hexadecimal digits");
      out = out * 16 + static_cast<std::uint32_t>(digit);
    }
    return out;
  }

  static void put(std::uint32_t code, std::string& out) {
    const auto tail = [&](int shift) { out += static_cast<char>(0x80 | (code >> shift & 0x3F)); };
    if (code < 0x80) {
      out += static_cast<char>(code);
    } else if (code < 0x800) {
      out += static_cast<char>(0xC0 | code >> 6);
      tail(0);
    } else if (code < 0x10000) {
      out += static_cast<char>(0xE0 | code >> 12);
      tail(6), tail(0);
    } else {
      out += static_cast<char>(0xF0 | code >> 18);
      tail(12), tail(6), tail(0);
    }
  }

  // One character of UTF-8 that is longer than a byte: decoded, and right only if encoding gives the same bytes.
  void several_bytes(std::string& out) {
    const auto first = static_cast<unsigned char>(text_[at_]);
    const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    std::uint32_t code = first & (0xFFu >> (size + 1));
    for (std::size_t i = 1; i < size && at_ + i < text_.size(); ++i)
      code = code << 6 | (static_cast<unsigned char>(text_[at_ + i]) & 0x3F);
    std::string again;
    put(code, again);
    if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF) || text_.substr(at_, size) != again)
      fail("a text is not valid UTF-8");
    out += again;
    at_ += size;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// The places must fill `size` bytes without gap or overlap.
void check_places(const std::map<std::string, Place>& places, std::size_t size) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> spans;
  for (const auto& [name, place] : places) {
    const std::string who = "tensor " + quoted(name);
    if (place.dtype != "F32") throw BadInput(who + " is " + quoted(place.dtype) + "; only F32 can be read");
    std::uint64_t bytes = sizeof(float);
    for (std::uint64_t n : place.shape) {
      if (n > 0 && bytes > kMostFileBytes / n) throw BadInput(who + " is too large");
      bytes *= n;
    }
    if (place.offsets.size() != 2 || place.offsets[0] > place.offsets[1])
      throw BadInput(who + " needs two ascending data_offsets");
    if (place.offsets[1] - place.offsets[0] != bytes)
      throw BadInput(who + " has data_offsets that do not fit its shape");
    if (place.offsets[1] > size) throw BadInput(who + " goes beyond the end: the file is cut off");
    spans.emplace_back(place.offsets[0], place.offsets[1]);
  }
  std::sort(spans.begin(), spans.end());
  std::uint64_t end = 0;
  for (const auto& [from, to] : spans) {
    if (from != end) throw BadInput("the tensors of the file overlap or leave a gap");
    end = to;
  }
  if (end != size) throw BadInput("the file goes on after its last tensor");
}

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t out = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) out = out << 8 | static_cast<unsigned char>(bytes[i]);
  return out;
}

}  // namespace

TensorFile parse_safetensors(std::string_view bytes) {
  constexpr std::size_t kLength = 8;
  if (bytes.size() < kLength) throw BadInput("the file is shorter than the 8 bytes that every safetensors file has");
  const std::uint64_t length = little_endian(bytes.substr(0, kLength));
  if (length > kMostHeaderBytes)
    throw BadInput("the header would be " + std::to_string(length) + " bytes long: this is no safetensors file");
  if (length > bytes.size() - kLength) throw BadInput("the header goes beyond the end: the file is cut off");
  TensorFile out;
  std::map<std::string, Place> places;
  HeaderReader(bytes.substr(kLength, length)).read(places, out.metadata);
  const std::string_view data = bytes.substr(kLength + length);
  check_places(places, data.size());
  for (const auto& [name, place] : places) {
    Tensor tensor{{place.shape.begin(), place.shape.end()}, {}};
    for (std::uint64_t at = place.offsets[0]; at < place.offsets[1]; at += sizeof(float)) {
      const float x = std::bit_cast<float>(static_cast<std::uint32_t>(little_endian(data.substr(at, sizeof(float)))));
      if (!std::isfinite(x)) throw BadInput("tensor " + quoted(name) + " has a value that is not finite");
      tensor.values.push_back(x);
    }
    out.tensors.emplace(name, std::move(tensor));
  }
  return out;
}

TensorFile read_safetensors(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes, piece(std::size_t{1} << 16, '\0');
  // Not by asking for the size first: a directory has one, too, and a pipe has none.
  while (file && bytes.size() <= kMostFileBytes) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    bytes.append(piece, 0, static_cast<std::size_t>(file.gcount()));
  }
  if (!file.eof() && bytes.empty()) throw BadInput("cannot read the file '" + path + "'");
  if (bytes.size() > kMostFileBytes) throw BadInput("the file '" + path + "' is larger than 1 GiB");
  try {
    return parse_safetensors(bytes);
  } catch (const BadInput& error) {
    throw BadInput("'" + path + "': " + error.what());
  }
}

}  // namespace kibitz
