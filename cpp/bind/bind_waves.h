// NAMEWaves: searches of one game whose leaves are valued in Python, a wave at a time.
#pragma once

#include "bind/bind_net.h"
#include "bind/bind_search.h"
#include "core/exclusive.h"
#include "search/waves.h"

namespace kibitz::bind {

template <Game G>
struct Waves {
  std::shared_ptr<G> game;
  WaveSettings settings;
  std::vector<WaveSearch<G>> searches = {};
  Exclusive exclusive = {};
  static constexpr const char* kWhat = "these searches";

  std::size_t waiting() const {
    std::size_t n = 0;
    for (const auto& search : searches) n += search.waiting();
    return n;
  }
};

template <Game G>
Waves<G> new_waves(std::shared_ptr<G> game, const std::string& name, nb::dict options, nb::list shown, Rng& rng) {
  Waves<G> out{game, read_waves(*game, name, to_value(options))};
  for (nb::handle h : shown) {
    const bool state = nb::isinstance<StateHandle<G>>(h);
    if (!state && !nb::isinstance<ViewHandle<G>>(h)) throw BadInput("searches need views of " + game->info().name);
    const auto view = state ? shown_to<G>(name, out.settings.peeks, nb::cast<const StateHandle<G>&>(h))
                            : shown_to<G>(name, out.settings.peeks, nb::cast<const ViewHandle<G>&>(h));
    check_same(*game, state ? *nb::cast<const StateHandle<G>&>(h).game : *nb::cast<const ViewHandle<G>&>(h).game);
    out.searches.emplace_back(*game, view, out.settings, rng);
  }
  return out;
}

template <Game G>
void bind_waves(nb::module_& m, const std::string& name) {
  using W = Waves<G>;
  nb::class_<W> c(m, name.c_str(), "Searches whose leaves are valued outside; see kibitz.GuidedSearch.");
  c.def_prop_ro("width", [](const W& self) { return row_size(self.settings.meaning, self.game->info()); });
  c.def(
      "select",
      [](W& self) {
        const Turn turn(self.exclusive, W::kWhat);
        if (self.waiting() > 0) throw BadInput("leaves wait for their answer");
        nb::gil_scoped_release release;
        bool goes_on = false;
        for (auto& search : self.searches) goes_on |= search.select();
        return goes_on;
      },
      "Selects the next leaves of all searches; False at the end.");
  c.def(
      "show",
      [](const W& self) {
        const Turn turn(self.exclusive, W::kWhat);
        const auto& encoder = self.game->info().encoders[static_cast<std::size_t>(self.settings.encoder)];
        const std::size_t n = self.waiting(), width = static_cast<std::size_t>(encoder.size());
        auto features = new_array<float>({n, width});
        auto seats = new_array<std::int32_t>({n});
        {
          nb::gil_scoped_release release;
          std::size_t at = 0;
          for (const auto& search : self.searches) {
            search.show(features.data() + at * width, seats.data() + at);
            at += search.waiting();
          }
        }
        return std::make_pair(features, seats);
      },
      "What the seats to act see in the selected leaves [B, D], and which seats they are [B].");
  c.def(
      "answer",
      [](W& self, const Rows& rows) {
        const Turn turn(self.exclusive, W::kWhat);
        const auto width = static_cast<std::size_t>(row_size(self.settings.meaning, self.game->info()));
        check_rows(rows, self.waiting(), width, "what evaluate returns");
        // A copy: whoever holds the array may write to it as soon as the GIL is released.
        const std::vector<float> values(rows.data(), rows.data() + rows.size());
        nb::gil_scoped_release release;
        std::size_t at = 0;
        for (auto& search : self.searches) {
          const std::size_t n = search.waiting();
          search.answer(values.data() + at * width);
          at += n;
        }
      },
      "rows"_a, "What the selected leaves are worth.");
  c.def("thoughts", [](const W& self) {
    const Turn turn(self.exclusive, W::kWhat);
    std::vector<Thought> out;
    for (const auto& search : self.searches) out.push_back(search.thought());
    return out;
  });
}

}  // namespace kibitz::bind
