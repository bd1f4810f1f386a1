#pragma once

#include <cstdint>

namespace askfew {

/// How mistakes are forecast, and which part of a forecast the bounds use. Both keep the bounds valid; models
/// and ledgers of earlier versions go on as they began.
enum class ForecastKind : std::uint8_t {
  earlier,  ///< forecasts begin at one curve for all streams, and all bounds use the whole forecast
  fitted    ///< the curve is fitted to the stream, and each bound uses the part that suits it
};

}  // namespace askfew
