#include <tuple>

#include "bind/bindings.h"
#include "bind/common.h"
#include "games/gdl/gdl.h"
#include "games/gdl/logic/read.h"

namespace kibitz::bind {

void bind_gdl(nb::module_& m) {
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
