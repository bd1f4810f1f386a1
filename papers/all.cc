#include <array>

#include "papers/cavallanti_2008/experiment.h"
#include "papers/cavallanti_2008/paper.h"
#include "papers/cbgz_2006/experiment.h"
#include "papers/cbgz_2006/paper.h"
#include "papers/defaults/experiment.h"
#include "papers/drift_rates/experiment.h"
#include "papers/experiment.h"
#include "papers/monteleoni_2007/experiment.h"
#include "papers/moroshko_2014/experiment.h"
#include "papers/second_order/experiment.h"
#include "papers/slides/experiment.h"

namespace askfew {
namespace {

constexpr std::array experiment_table{
    Experiment{"cbgz-2006", cbgz_2006::title, "reuters21578 rcv1", cbgz_2006::run},
    Experiment{"second-order", second_order::title, "reuters21578 rcv1", second_order::run},
    Experiment{"monteleoni-2007", "Monteleoni and Kaariainen 2007: labels to reach a test error on digits",
               "mnist usps", monteleoni_2007::run},
    Experiment{"cavallanti-2008", cavallanti_2008::title, "reuters21578 rcv1", cavallanti_2008::run},
    Experiment{"moroshko-2014", "Moroshko and Crammer 2014: selective sampling with a shifting target",
               "usps", moroshko_2014::run},
    Experiment{"drift-rates", drift_rates::title, "usps elec2 usenet", drift_rates::run},
    Experiment{"defaults", defaults::title,
               "a9a ag_news elec2 emailing_list mnist outdoor rcv1 reuters21578 sms_spam uci usenet usps",
               defaults::run},
    Experiment{"slides",
               "Cesa-Bianchi's slides on on-line learning: mistakes, margins, budgets, selective sampling",
               "", slides::run},
};

}  // namespace

std::span<const Experiment> all_experiments() {
  return experiment_table;
}

}  // namespace askfew
