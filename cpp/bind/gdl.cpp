#include "bind/gdl.h"

#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bind/bind_game.h"
#include "games/gdl/gdl.h"
#include "games/gdl/logic/read.h"

namespace kibitz::bind {

void bind_gdl(nb::module_& m) {
  bind_game<gdl::Gdl>(m, "Gdl");
  // Not by its options alone: a bare name is that of a rulesheet where the pickle is read, which kibitz.make finds.
  m.attr("GdlGame").attr("__reduce__") = nb::cpp_function(
      [](const gdl::Gdl& self) {
        const nb::dict options = nb::borrow<nb::dict>(to_python(self.info().options));
        const nb::object make = nb::module_::import_("kibitz").attr("make");
        const nb::object partial = nb::module_::import_("functools").attr("partial");
        return nb::make_tuple(partial(make, gdl::Gdl::kName, **options), nb::tuple());
      },
      nb::name("__reduce__"), nb::is_method(), nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"));
  m.def(
      "gdl_check",
      [](const std::string& text, bool strict) {
        std::vector<std::tuple<int, int, bool, std::string>> out;
        nb::gil_scoped_release release;
        const gdl::Findings findings = gdl::check(text, strict);
        for (const gdl::Finding& f : findings.list()) out.emplace_back(f.place.line, f.place.column, f.error, f.text);
        return out;
      },
      "text"_a, "strict"_a = true, "Findings of a rulesheet: line, column, whether it is an error, what it is.");
}

}  // namespace kibitz::bind
