#include "askfew/core/version.h"

namespace askfew {

constinit const std::string_view version = ASKFEW_VERSION;

}  // namespace askfew
