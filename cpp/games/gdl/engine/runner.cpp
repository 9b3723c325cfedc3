#include "games/gdl/engine/runner.h"

namespace kibitz::gdl {

Runner::Runner(const Network& network, Budget* budget)
    : n_(network),
      budget_(budget),
      count_(network.bias),
      value_(network.words),
      dirty_(network.words),
      summary_(network.words / 64 + 1),
      done_(network.roles.size(), kNone) {
  for (std::uint32_t i = 0; i < 64 * n_.words; ++i)
    if (count_[i] >= 0) mark(i);
  propagate(0, n_.goal_end);
  flush(n_.goal_end, n_.words);
}

// All edges of a position whose value has just changed.
inline void Runner::send(std::uint32_t position) {
  const std::uint32_t up = on(position);
  const std::uint32_t* e = n_.edges.data() + n_.edge_begin[position];
  const std::uint32_t* const end = n_.edges.data() + n_.edge_begin[position + 1];
  for (; e != end; ++e) change(*e >> 1, static_cast<std::int32_t>(2 * ((*e ^ up) & 1)) - 1);
}

void Runner::propagate(std::uint32_t from, std::uint32_t to) {
  if (from == to) return;
  for (std::uint32_t s = from / 64; s <= (to - 1) / 64; ++s) {
    Bits mask = ~Bits{0};
    if (s == from / 64) mask &= ~Bits{0} << (from % 64);
    if (s == to / 64) mask &= bit(to % 64) - 1;
    bool back = false;
    for (Bits some; !back && (some = summary_[s] & mask) != 0;) {
      const std::uint32_t w = 64 * s + lowest(some);
      while (const Bits d = dirty_[w]) {
        const std::uint32_t position = 64 * w + lowest(d);
        dirty_[w] = d & (d - 1);
        value_[w] ^= d & (0 - d);
        if (n_.special[position] == Network::kPlain) {
          send(position);
        } else {
          send_special(position);
          back |= n_.special[position] != Network::kFeedsBlock;  // something before it may be marked now
        }
      }
      summary_[s] &= ~(some & (0 - some));
    }
    if (!back) continue;
    if (budget_) budget_->tick(s - from / 64 + 16);
    s = from / 64 - 1;
  }
}

void Runner::flush(std::uint32_t from, std::uint32_t to) {
  for (std::uint32_t w = from; w < to; ++w) {
    value_[w] ^= dirty_[w];
    dirty_[w] = 0;
  }
}

// Edges that leave the block of the position, if it is in one. A block that loses a reason is to be settled anew.
void Runner::send_outside(std::uint32_t position, bool up) {
  for (std::uint32_t i = n_.edge_begin[position] + n_.inner[position]; i < n_.edge_begin[position + 1]; ++i) {
    const std::uint32_t target = n_.edges[i] >> 1;
    const bool more = (n_.edges[i] & 1) != up;
    change(target, more ? 1 : -1);
    if (more || n_.block_of[target] == kNone) continue;
    const std::uint32_t guard = n_.blocks[n_.block_of[target]].begin - 1;
    if (!(dirty_[guard / 64] >> (guard % 64) & 1)) mark(guard);
  }
}

void Runner::send_special(std::uint32_t position) {
  if (n_.special[position] == Network::kGuard) return settle_block(n_.blocks[n_.block_of[position]]);
  for (std::uint32_t i = 0; i < n_.inner[position]; ++i)
    change(n_.edges[n_.edge_begin[position] + i] >> 1, on(position) ? 1 : -1);
  send_outside(position, on(position));
}

// From what comes from outside alone, as if all gates of the block were off at first.
void Runner::settle_block(const Network::Block& block) {
  before_.assign((block.end - block.begin + 63) / 64, 0);
  const auto inner = [&](std::uint32_t i, auto&& f) {
    for (std::uint32_t e = 0; e < n_.inner[i]; ++e) f(n_.edges[n_.edge_begin[i] + e] >> 1);
  };
  for (std::uint32_t i = block.begin; i < block.end; ++i) {
    if (!on(i)) continue;
    before_[(i - block.begin) / 64] |= bit((i - block.begin) % 64);
    inner(i, [&](std::uint32_t t) { --count_[t]; });
  }
  for (std::uint32_t i = block.begin; i < block.end; ++i) {
    value_[i / 64] &= ~bit(i % 64);
    dirty_[i / 64] &= ~bit(i % 64);
  }
  stack_.clear();
  const auto turn_on = [&](std::uint32_t i) {
    if (count_[i] < 0 || on(i)) return;
    value_[i / 64] |= bit(i % 64);
    stack_.push_back(i);
  };
  for (std::uint32_t i = block.begin; i < block.end; ++i) {
    turn_on(i);
    while (!stack_.empty()) {
      const std::uint32_t j = stack_.back();
      stack_.pop_back();
      inner(j, [&](std::uint32_t t) {
        ++count_[t];
        turn_on(t);
      });
    }
  }
  for (std::uint32_t i = block.begin; i < block.end; ++i) {
    const bool was = before_[(i - block.begin) / 64] >> ((i - block.begin) % 64) & 1;
    if (was != on(i)) send_outside(i, on(i));
  }
}

void Runner::set_fluents(const std::uint64_t* fluents) {
  Bits any = 0;
  for (std::uint32_t w = 0; w < n_.state_words; ++w) {
    const Bits differ = value_[w] ^ fluents[w];
    dirty_[w] = differ;
    any |= differ;
    if (differ) summary_[w / 64] |= bit(w % 64);
  }
  if (!any) return;
  propagate(0, n_.legal_end);
  flush(n_.goal_end, n_.next_word);       // legal
  flush(n_.last_word, n_.last_word + 1);  // terminal
}

void Runner::look(const std::uint64_t* fluents) { set_fluents(fluents); }

void Runner::act(int role, std::uint32_t move) {
  std::uint32_t& done = done_[role];
  if (done == move) return;
  const std::uint32_t first = n_.roles[role].does;
  if (done != kNone) mark(first + done);
  mark(first + move);
  done = move;
}

void Runner::advance() {
  propagate(n_.does_word, n_.next_end);
  flush(n_.next_word, n_.last_word);
  set_fluents(value_.data() + n_.next_word);
}

void Runner::settle_sees() {
  propagate(n_.does_word, n_.sees_end);
  flush(n_.last_word, n_.words);
}

void Runner::settle_goals() {
  propagate(n_.does_word, n_.goal_end);
  flush(n_.last_word, n_.words);
}

}  // namespace kibitz::gdl
