#include "askfew/kernels/support_set.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "askfew/core/snapshot.h"
#include "askfew/kernels/rbf.h"
#include "askfew/system/memory_limit.h"

#include "tests/streams.h"

namespace askfew {
namespace {

using test::SparseExample;

KernelParams params_of(KernelKind kind, Precision precision = Precision::double_precision) {
  return {.kernel = static_cast<double>(kind),
          .gamma = 0.7,
          .degree = 3,
          .offset = 0.5,
          .precision = static_cast<double>(precision)};
}

template <class T>
T chain(const SparseExample& x, const SparseExample& z) {
  T sum = 0;
  for (std::size_t i = 0, j = 0; i < x.indices.size() && j < z.indices.size();) {
    if (x.indices[i] == z.indices[j]) {
      sum = std::fma(static_cast<T>(x.values[i]), static_cast<T>(z.values[j]), sum);
    }
    const bool next_i = x.indices[i] <= z.indices[j];
    const bool next_j = z.indices[j] <= x.indices[i];
    i += next_i ? 1 : 0;
    j += next_j ? 1 : 0;
  }
  return sum;
}

template <class T>
double naive(const KernelParams& params, const SparseExample& x, const SparseExample& z) {
  const double product = chain<T>(x, z);
  switch (static_cast<KernelKind>(params.kernel)) {
    case KernelKind::linear:
      return product;
    case KernelKind::polynomial:
      return (product + params.offset) * ((product + params.offset) * (product + params.offset));
    case KernelKind::rbf:
      break;
  }
  return std::exp(-params.gamma *
                  std::max(0.0, double{chain<T>(x, x)} + double{chain<T>(z, z)} - 2 * product));
}

double naive(const KernelParams& params, const SparseExample& x, const SparseExample& z) {
  return params.precision == 0 ? naive<double>(params, x, z) : naive<float>(params, x, z);
}

/// An instance of a dozen features; with `far` one of them is beyond the dense panels.
SparseExample instance(std::mt19937_64& random, bool far = false) {
  SparseExample x = test::random_instance(random, 50, 1 + random() % 12, false);
  if (far) {
    x.indices.push_back(static_cast<FeatureView::Index>(5000 + random() % 5));
    x.values.push_back(0.5);
  }
  return x;
}

std::vector<KernelParams> all_params() {
  std::vector<KernelParams> all;
  for (const auto kind : {KernelKind::linear, KernelKind::polynomial, KernelKind::rbf}) {
    for (const auto precision : {Precision::double_precision, Precision::single_precision}) {
      all.push_back(params_of(kind, precision));
    }
  }
  return all;
}

void expect_naive(const KernelParams& params, const SupportSet& set, const std::vector<SparseExample>& model,
                  const SparseExample& x) {
  const KernelRow row = set.row(x.x());
  ASSERT_EQ(row.size(), model.size());
  for (std::size_t s = 0; s < model.size(); ++s) {
    const double expected = naive(params, x, model[s]);
    if (params.kernel == static_cast<double>(KernelKind::rbf)) {
      ASSERT_NEAR(row[s], expected, 1e-14 * expected);
    } else {
      ASSERT_EQ(row[s], expected);
    }
  }
}

TEST(SupportSet, agrees_with_a_naive_implementation) {
  for (const KernelParams& params : all_params()) {
    std::mt19937_64 random(4);
    SupportSet set(params, {});
    std::vector<SparseExample> model;
    for (int step = 0; step < 1500; ++step) {
      const bool far = step > 1000 && random() % 4 == 0;  // from then on rows are sparse
      const SparseExample x = instance(random, far);
      const std::size_t slot = model.empty() ? 0 : random() % model.size();
      switch (model.empty() ? 0 : random() % 5) {
        case 0:
        case 1:
          set.add(x.x());
          model.push_back(x);
          break;
        case 2:
          set.replace(slot, x.x());
          model[slot] = x;
          break;
        case 3:
          set.remove(slot);
          model[slot] = model.back();
          model.pop_back();
          break;
        default:
          expect_naive(params, set, model, x);
          expect_naive(params, set, model, model[slot]);
          if (HasFatalFailure()) return;
          const double self = set.row_of(slot)[slot];
          ASSERT_EQ(self, set.self(model[slot].x()));
          ASSERT_EQ(self, set.self_of(slot));
      }
    }
    EXPECT_GT(model.size(), 100U);
  }
}

TEST(SupportSet, sparse_rows_give_the_same_bits_as_dense_panels) {
  for (const KernelParams& params : all_params()) {
    std::mt19937_64 random(5);
    SupportSet dense(params, {});
    SupportSet sparse(params, {});
    sparse.add(instance(random, true).x());
    for (int step = 0; step < 200; ++step) {
      const SparseExample z = instance(random);
      dense.add(z.x());
      sparse.add(z.x());
      const SparseExample x = instance(random, step % 3 == 0);
      const KernelRow expected = dense.row(x.x());
      const KernelRow with_another = sparse.row(x.x());
      const std::span<const double> row = with_another.values.subspan(1);
      ASSERT_TRUE(std::equal(expected.begin(), expected.end(), row.begin(), row.end()));
    }
  }
}

// Examples are stored, replaced and removed while a block is read ahead.
TEST(SupportSet, reading_ahead_changes_no_bit) {
  for (const KernelParams& params : all_params()) {
    std::mt19937_64 random(6);
    SupportSet plain(params, {});
    SupportSet ahead(params, {});
    const auto both = [&](auto&& f) {
      f(plain);
      f(ahead);
    };
    for (int block = 0; block < 8; ++block) {
      std::vector<SparseExample> xs;
      std::vector<FeatureView> views;
      for (std::size_t k = 0; k < 150; ++k) xs.push_back(instance(random, block == 6 && k == 70));
      for (const SparseExample& x : xs) views.push_back(x.x());
      ahead.read_ahead(views);
      for (std::size_t k = 0; k < xs.size(); ++k) {
        if (random() % 10 == 0) continue;  // never asked for
        {
          const KernelRow row = ahead.row(views[k]);
          const KernelRow expected = plain.row(views[k]);
          ASSERT_TRUE(std::equal(expected.begin(), expected.end(), row.begin(), row.end()))
              << block << " " << k;
        }
        const std::size_t slot = plain.size() == 0 ? 0 : random() % plain.size();
        switch (plain.size() == 0 ? 0 : random() % 6) {
          case 0:
            both([&](SupportSet& set) { set.add(views[k]); });
            break;
          case 1:
            both([&](SupportSet& set) { set.replace(slot, views[k]); });
            break;
          case 2:
            if (random() % 2 == 0) both([&](SupportSet& set) { set.remove(slot); });
            break;
          default:
            break;
        }
        const std::size_t late = random() % (k + 1);  // an earlier instance
        const KernelRow again = ahead.row(views[late]);
        const KernelRow once = plain.row(views[late]);
        ASSERT_TRUE(std::equal(once.begin(), once.end(), again.begin(), again.end()));
      }
      ahead.read_ahead({});
    }
  }
}

// A caller can reuse the memory of its instances.
TEST(SupportSet, another_instance_at_the_same_address_is_recognized_as_new) {
  SupportSet set(params_of(KernelKind::linear), {});
  std::vector<double> x{1, 2};
  set.add(FeatureView::dense(x));
  EXPECT_EQ(set.row(FeatureView::dense(x))[0], 5);
  x[1] = 3;
  EXPECT_EQ(set.row(FeatureView::dense(x))[0], 7);
}

TEST(SupportSet, values_that_are_not_finite_stay_so) {
  SupportSet set(params_of(KernelKind::rbf, Precision::single_precision), {});
  const std::vector<double> huge{1e200};
  set.add(FeatureView::dense(huge));
  EXPECT_FALSE(std::isfinite(set.row(FeatureView::dense(huge))[0]));
}

TEST(SupportSet, is_charged_to_the_memory_limit) {
  const auto limit = std::make_shared<MemoryLimit>(100'000);
  SupportSet set(params_of(KernelKind::rbf), {.memory = limit});
  const std::vector<double> x(300, 0.5);
  const auto fill = [&] {
    for (int k = 0; k < 100; ++k) set.add(FeatureView::dense(x));
  };
  EXPECT_THROW(fill(), MemoryError);
  EXPECT_EQ(set.size(), 32U);
  EXPECT_EQ(set.row(FeatureView::dense(x))[31], 1);
}

TEST(SupportSet, a_damaged_state_is_refused) {
  const auto loaded = [](const SavedSupports& saved) {
    Snapshot snapshot;
    SnapshotWriter writer(snapshot, "");
    SavedSupports::state(saved, writer);
    SupportSet set(params_of(KernelKind::rbf), {});
    SnapshotReader reader(snapshot, "");
    SupportSet::state(set, reader);
    return set.consistent();
  };
  EXPECT_TRUE(loaded({}));
  EXPECT_TRUE(loaded({.lengths = {2, 0, 1}, .indices = {0, 5, 3}, .values = {1, 2, 3}}));
  EXPECT_FALSE(loaded({.lengths = {2, 0}, .indices = {0, 5, 3}, .values = {1, 2, 3}}));
  EXPECT_FALSE(loaded({.lengths = {4}, .indices = {0, 5, 8}, .values = {1, 2, 3}}));
  EXPECT_FALSE(loaded({.lengths = {2}, .indices = {5, 5}, .values = {1, 2}}));
  EXPECT_FALSE(loaded({.lengths = {2}, .indices = {0, 5}, .values = {1}}));
  EXPECT_FALSE(loaded({.lengths = {1}, .indices = {0xffffffff}, .values = {1}}));
}

TEST(Rbf, equals_the_exponential) {
  std::vector<double> distances;
  for (int k = 0; k < 8000; ++k) distances.push_back(std::pow(1.005, k - 5000));
  distances[0] = 0;
  const std::vector<double> zero(distances.size(), 0.0);
  std::vector<double> values(distances.size());
  rbf(zero.data(), 0, distances.data(), 1.0, values.data(), values.size());
  EXPECT_EQ(values[0], 1);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double expected = distances[k] <= 708 ? std::exp(-distances[k]) : 0;
    ASSERT_NEAR(values[k], expected, 1e-15 * expected) << distances[k];
  }
}

}  // namespace
}  // namespace askfew
