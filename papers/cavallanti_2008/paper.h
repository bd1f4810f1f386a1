#pragma once

#include <string_view>

namespace askfew::cavallanti_2008 {

inline constexpr std::string_view title =
    "Linear classification and selective sampling under low noise conditions "
    "(Cavallanti, Cesa-Bianchi, Gentile 2008)";

inline constexpr std::string_view claim =
    "The paper uses the first 40,000 stories of RCV1 and the 50 most frequent topics. It claims: below 10% "
    "of the labels the F of SSMD grows most steeply and is above the F of every other sampler; with more "
    "labels SSMD, SOLE and SOP are similar; SSNL, which asks for the label of the next instance, is worse "
    "than SS; DKMPERC is ineffective. On all 102 topics, SSMD stores more examples of harder problems, where "
    "the norm of a linear SVM's weights measures how hard a problem is; the F of SSMD is fairly independent "
    "of the number of positive examples, but SSMD asks for more labels of rare topics.";

}  // namespace askfew::cavallanti_2008
