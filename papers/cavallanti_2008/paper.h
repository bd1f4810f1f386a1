#pragma once

#include <string_view>

namespace askfew::cavallanti_2008 {

inline constexpr std::string_view title =
    "Linear classification and selective sampling under low noise conditions "
    "(Cavallanti, Cesa-Bianchi, Gentile 2008)";

inline constexpr std::string_view claim =
    "On the first 40,000 stories of RCV1 and the 50 most frequent topics, the paper claims: below 10% of the "
    "labels the F of SSMD grows most steeply and surpasses any other sampler; with more labels SSMD, SOLE "
    "and SOP "
    "are similar; SSNL, which asks for the next label, is worse than SS; DKMPERC is ineffective. On all 102 "
    "topics, SSMD stores more examples where the problem is harder, measured by the norm of a linear SVM's "
    "weights; its F is fairly independent of the number of positive examples, at the cost of asking for more "
    "labels "
    "of rare topics.";

}  // namespace askfew::cavallanti_2008
