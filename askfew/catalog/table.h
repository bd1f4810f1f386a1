#pragma once

// The table of all learners, rules and presets. A new algorithm needs a line here.

#include <array>
#include <string_view>

#include "askfew/composed/scaled_logistic.h"
#include "askfew/learners/alma.h"
#include "askfew/learners/arow.h"
#include "askfew/learners/arow_diagonal.h"
#include "askfew/learners/budget.h"
#include "askfew/learners/ellipsoid.h"
#include "askfew/learners/gravity_center.h"
#include "askfew/learners/kernel/forgetron.h"
#include "askfew/learners/kernel/kernel_alma.h"
#include "askfew/learners/kernel/kernel_budget.h"
#include "askfew/learners/kernel/kernel_lasec.h"
#include "askfew/learners/kernel/kernel_passive_aggressive.h"
#include "askfew/learners/kernel/kernel_perceptron.h"
#include "askfew/learners/kernel/kernel_second_order.h"
#include "askfew/learners/kernel/projectron.h"
#include "askfew/learners/lasec.h"
#include "askfew/learners/lasec_bank.h"
#include "askfew/learners/logistic.h"
#include "askfew/learners/logistic_full.h"
#include "askfew/learners/p_norm.h"
#include "askfew/learners/passive_aggressive.h"
#include "askfew/learners/perceptron.h"
#include "askfew/learners/reflect.h"
#include "askfew/learners/romma.h"
#include "askfew/learners/second_order.h"
#include "askfew/learners/second_order_diagonal.h"
#include "askfew/learners/shifting.h"
#include "askfew/learners/started_perceptron.h"
#include "askfew/learners/volumetric_center.h"
#include "askfew/learners/winnow.h"
#include "askfew/rules/adaptive.h"
#include "askfew/rules/always.h"
#include "askfew/rules/dgs.h"
#include "askfew/rules/halving.h"
#include "askfew/rules/log_threshold.h"
#include "askfew/rules/margin.h"
#include "askfew/rules/random.h"
#include "askfew/rules/threshold.h"
#include "askfew/rules/variance.h"

namespace askfew {

template <class... Ts>
struct TypeList {};

template <class... As, class... Bs, class... Cs, class... Ds>
TypeList<As..., Bs..., Cs..., Ds...> joined(TypeList<As...>, TypeList<Bs...>, TypeList<Cs...>,
                                            TypeList<Ds...>);

// Every learner, in four groups. To add a learner: write its file, add its line here, write its reference.
using FirstOrder = TypeList<Perceptron,                   //
                            StartedPerceptron,            //
                            Reflect,                      //
                            Shifting,                     //
                            PassiveAggressive<Hildreth>,  //
                            PassiveAggressive<PaOne>,     //
                            PassiveAggressive<PaTwo>,     //
                            Alma,                         //
                            Romma,                        //
                            Winnow,                       //
                            WinnowBalanced,               //
                            PNorm,                        //
                            Budget>;
using SecondOrderFamily = TypeList<SecondOrder,          //
                                   Rls,                  //
                                   Lasec,                //
                                   LasecBank,            //
                                   Arow,                 //
                                   SecondOrderDiagonal,  //
                                   ArowDiagonal,         //
                                   Logistic,             //
                                   LogisticFull,         //
                                   ScaledLogistic>;
using Kernels = TypeList<KernelPerceptron,                         //
                         KernelPassiveAggressive<KernelHildreth>,  //
                         KernelPassiveAggressive<KernelPaOne>,     //
                         KernelPassiveAggressive<KernelPaTwo>,     //
                         KernelAlma,                               //
                         KernelBudget,                             //
                         Forgetron,                                //
                         Projectron,                               //
                         KernelSecondOrder,                        //
                         KernelRls,                                //
                         KernelLasec>;
using CuttingPlanes = TypeList<Ellipsoid,         //
                               VolumetricCenter,  //
                               GravityCenter>;
using Learners = decltype(joined(FirstOrder{}, SecondOrderFamily{}, Kernels{}, CuttingPlanes{}));

/// Every rule.
using Rules = TypeList<Always,        //
                       Random,        //
                       Margin,        //
                       Adaptive,      //
                       Halving,       //
                       LogThreshold,  //
                       Threshold,     //
                       Variance,      //
                       Dgs>;

/// The papers' names for pairs of learner and rule.
struct Preset {
  std::string_view name;
  std::string_view learner;
  std::string_view rule;
  std::string_view paper;
  std::string_view update{};  ///< empty: the learner's default policy
};

inline constexpr std::array presets{
    Preset{"sel-p", "perceptron", "margin:b=1", "Cesa-Bianchi et al. 2006, Fig. 1 (SEL-P)"},
    Preset{"sel-ada", "perceptron", "adaptive:beta=0.1", "Cesa-Bianchi et al. 2006, Fig. 2 (SEL-ADA)"},
    Preset{"sel-winnow", "winnow", "margin:b=0.1", "Cesa-Bianchi et al. 2006, Fig. 4"},
    Preset{"sel-p-fixed", "perceptron", "random:q=0.1", "Cesa-Bianchi et al. 2006, Fig. 5 (SEL-P-FIXED)"},
    Preset{"dkm2", "reflect:step=2", "halving:R=32", "Monteleoni and Kaariainen 2007 (DKM^2)"},
    Preset{"dkm-perc", "started-perceptron", "halving:R=32", "Monteleoni and Kaariainen 2007 (DKMperc)"},
    Preset{"cbgz-dkm", "reflect:step=2", "margin:b=0.1", "Monteleoni and Kaariainen 2007 (CBGZ_DKM)"},
    Preset{"cbgz-perc", "perceptron", "margin:b=1", "Monteleoni and Kaariainen 2007 (CBGZperc)"},
    Preset{"rand-dkm", "reflect:step=2", "random:q=0.1", "Monteleoni and Kaariainen 2007 (randDKM)"},
    Preset{"rand-perc", "perceptron", "random:q=0.1", "Monteleoni and Kaariainen 2007 (randPerc)"},
    Preset{"perc", "perceptron", "always", "Rosenblatt 1958"},
    Preset{"modified", "reflect:step=1", "always", "Blum et al. 1998; Moroshko and Crammer 2014"},
    Preset{"shifting", "shifting:lambda=0.01", "always", "Cavallanti et al. 2007; Moroshko and Crammer 2014"},
    Preset{"rbp", "budget:B=500", "always", "Cavallanti et al. 2007; slides, part 5"},
    Preset{"hildreth", "pa", "always", "Hildreth 1957; slides, part 3"},
    Preset{"pa-i", "pa-1:C=1", "always", "Crammer et al. 2006; slides, part 4"},
    Preset{"pa-ii", "pa-2:C=1", "always", "Crammer et al. 2006; slides, part 4"},
    Preset{"alma", "alma:alpha=0.9", "always", "Gentile 2001; slides, part 6"},
    Preset{"romma", "romma", "always", "Li and Long 2002 (ROMMA)"},
    Preset{"aggressive-romma", "romma", "always", "Li and Long 2002 (aggressive ROMMA)", "margin"},
    Preset{"winnow", "winnow", "always", "Littlestone 1988"},
    Preset{"sel-2nd", "second-order", "margin:b=0.1", "Cesa-Bianchi et al. 2006, Fig. 3 (SEL-2ND)"},
    Preset{"sole", "second-order", "margin:b=0.1", "Cavallanti et al. 2008 (SOLE)"},
    Preset{"sop-ss", "second-order", "margin:b=0.1", "Moroshko and Crammer 2014 (SOP-SS)"},
    Preset{"sel-2nd-fixed", "second-order", "random:q=0.1",
           "Cesa-Bianchi et al. 2006, Fig. 5 (SEL-2ND-FIXED)"},
    Preset{"sop", "second-order", "always", "Cesa-Bianchi, Conconi and Gentile 2005 (SOP)"},
    Preset{"ss", "rls", "log-threshold:c=1", "Cavallanti et al. 2008, Fig. 1 (SS)"},
    Preset{"ssmd", "second-order", "log-threshold:c=1", "Cavallanti et al. 2008 (SSMD)"},
    Preset{"ssnl", "rls", "log-threshold:c=1,next=1", "Cavallanti et al. 2008, Fig. 1 (SSNL)"},
    Preset{"margin-ss", "second-order", "log-threshold:c=1", "slides, part 6", "asked"},
    Preset{"lasec", "lasec", "always", "Moroshko and Crammer 2014 (LASEC)"},
    Preset{"lasec-ss", "lasec", "margin:b=0.1", "Moroshko and Crammer 2014, Fig. 1 (LASEC-SS)"},
    Preset{"lasec-bank", "lasec-bank", "always", "no paper: LASEC for unknown drift"},
    Preset{"lasec-bank-ss", "lasec-bank", "margin:b=0.1", "no paper: LASEC-SS for unknown drift"},
    Preset{"bbq", "rls", "variance:kappa=0.3", "Cesa-Bianchi et al. 2009; Moroshko and Crammer 2014 (BBQ)"},
    Preset{"bbq-i", "second-order", "variance:kappa=0.3", "Moroshko and Crammer 2014 (BBQ-I)"},
    Preset{"dgs", "rls", "dgs:alpha=0.001", "Orabona and Cesa-Bianchi 2011"},
    Preset{"arow", "arow", "always", "Crammer, Kulesza and Dredze 2009"},
    Preset{"arow-log", "arow-diagonal", "log-threshold:c=1,empty=skip",
           "no paper: low error with few labels"},
    Preset{"ellipsoid", "ellipsoid", "always", "slides, part 3"},
    Preset{"volumetric-center", "volumetric-center", "always", "slides, part 3"},
    Preset{"gravity-center", "gravity-center", "always", "slides, part 3"},
    Preset{"auto", "scaled-logistic:decay=0.5,full_prior=30,grow=4,norm=0.75,rare=0.3", "threshold",
           "no paper: for a budget, without tuning"},
    Preset{"pa-log", "pa-1:C=1", "log-threshold:c=1,empty=skip", "no paper: cheap, and good on real streams"},
};

/// The learners that the preset `auto` had in earlier versions. A ledger that it began goes on with its own.
inline constexpr std::array<std::string_view, 6> earlier_default_learners{
    "scaled-logistic:grow=3,norm=0.75,prior=30,rare=0.3",
    "scaled-logistic:grow=2,norm=0.75,prior=30,rare=0.3",
    "scaled-logistic:grow=1,norm=0.75,prior=30,rare=0.3",
    "scaled-logistic:norm=0.75,prior=30,rare=0.3",
    "scaled-logistic:norm=0.75,rare=0.3",
    "scaled-logistic"};

}  // namespace askfew
