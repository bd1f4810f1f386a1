#include "askfew/features/stop_words.h"

namespace askfew {

std::string_view english_stop_words() {
  return
      // articles and pronouns
      "a an the i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his "
      "himself she her hers herself it its itself they them their theirs themselves this that these those "
      "who whom whose which what one "
      // prepositions
      "about above across after against along among around at before behind below beneath beside between "
      "beyond by down during for from in inside into near of off on onto out outside over past through "
      "throughout to toward towards under until up upon with within without "
      // conjunctions, and words that join or measure
      "and or but nor so yet if then else than because while whereas although though unless since as when "
      "where why how whether both either neither each every all any some such no not only own same too very "
      "also just more most much many few less least other another again once here there now ever never "
      // auxiliary verbs
      "am is are was were be been being have has had having do does did doing done will would shall should "
      "can could may might must ought "
      // short forms, cut at the apostrophe
      "s t d m ll re ve don doesn didn isn aren wasn weren hasn haven hadn won wouldn shan shouldn couldn "
      "mustn mightn ain";
}

}  // namespace askfew
