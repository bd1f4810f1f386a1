#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "askfew/core/snapshot.h"

namespace askfew {

/// The tensors behind ColumnsWriter and ColumnsReader: a tree of names. Objects of a list visit the same
/// names in the same order again and again, so that a name is found at once.
class ColumnTree {
 public:
  ColumnTree() = default;
  explicit ColumnTree(std::string path) : path_(std::move(path)) {}

  /// The part with this name, new if there is none. `make`: makes a new part from its path.
  template <class Make>
  ColumnTree& part(std::string_view name, Make&& make) {
    if (next_ >= parts_.size() || parts_[next_]->first != name) find(name);
    if (next_ == parts_.size()) {
      const std::string path = path_.empty() ? std::string(name) : path_ + "." + std::string(name);
      parts_.push_back(std::make_unique<Part>(std::string(name), make(path)));
    }
    return parts_[next_++]->second;
  }
  /// Another object of the list begins.
  void begin() { next_ = 0; }

  [[nodiscard]] const std::string& path() const { return path_; }
  void append(const void* values, std::size_t size, std::string_view dtype) {
    dtype_ = dtype;
    written_.append(static_cast<const char*>(values), size);
  }
  void set_given(const Snapshot::Tensor* given) { given_ = given; }
  /// THROWS: ModelError if there are too few numbers, or of another type.
  const char* take(std::size_t size, std::string_view dtype);
  /// THROWS: ModelError if numbers are left.
  void expect_end() const;
  void write_to(Snapshot& snapshot) const;

 private:
  using Part = std::pair<std::string, ColumnTree>;

  void find(std::string_view name);

  std::string path_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::size_t next_ = 0;
  std::string written_;
  std::string_view dtype_;
  const Snapshot::Tensor* given_ = nullptr;
  std::size_t at_ = 0;
};

namespace columns {

template <class T>
concept Scalar = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template <Scalar T>
constexpr std::string_view dtype() {
  if constexpr (std::same_as<T, double>) return "F64";
  static_assert(std::same_as<T, double> || !std::is_floating_point_v<T>);
  if (sizeof(T) == 8) return "U64";
  return sizeof(T) == 4 ? "U32" : "U8";
}

template <class T>
concept Optional = requires(T& part) {
  part.has_value();
  part.emplace();
};

template <class T>
concept Pointer = std::is_pointer_v<T>;

/// Where a member has the name `state`, the listing is `list_state`.
template <class T, class Visit>
void list_state(T& object, Visit& visit) {
  if constexpr (requires { T::list_state(object, visit); }) {
    T::list_state(object, visit);
  } else {
    T::state(object, visit);
  }
}

}  // namespace columns

/// Saves what `static void state(auto& self, auto& visit)` lists, as a SnapshotWriter does, and also texts,
/// lists, maps and optional parts. Objects of a list are saved by their members: each is one tensor for all
/// objects.
class ColumnsWriter {
 public:
  explicit ColumnsWriter(ColumnTree& tree) : tree_(tree) {}

  template <class T>
  void operator()(std::string_view name, const T& part) {
    put(tree_.part(name, make), part);
  }
  /// Every list is saved.
  [[nodiscard]] static bool has(std::string_view /*list*/) { return true; }

 private:
  static ColumnTree make(const std::string& path) { return ColumnTree(path); }

  template <class T>
  static void put(ColumnTree& tree, const T& part) {
    if constexpr (columns::Scalar<T>) {
      tree.append(&part, sizeof part, columns::dtype<T>());
    } else if constexpr (columns::Pointer<T>) {
      put(tree, *part);
    } else if constexpr (columns::Optional<T>) {
      put(tree.part("has", make), part.has_value());
      if (part) put(tree, *part);
    } else if constexpr (SavedAsArray<T>) {
      put(tree, part.values());
    } else if constexpr (std::ranges::sized_range<T>) {
      put_list(tree, part);
    } else {
      tree.begin();
      ColumnsWriter visit(tree);
      columns::list_state(part, visit);
    }
    tree.begin();
  }
  template <class T>
  static void put_list(ColumnTree& tree, const T& list) {
    tree.begin();
    put(tree.part("size", make), static_cast<std::uint32_t>(list.size()));
    using Element = std::ranges::range_value_t<T>;
    if constexpr (columns::Scalar<Element> && std::ranges::contiguous_range<T>) {
      tree.append(std::ranges::data(list), list.size() * sizeof(Element), columns::dtype<Element>());
    } else {
      for (const auto& element : list) {
        tree.begin();
        put_element(tree.part("of", make), element);
      }
    }
  }
  template <class T>
  static void put_element(ColumnTree& tree, const T& element) {
    put(tree, element);
  }
  template <class K, class V>
  static void put_element(ColumnTree& tree, const std::pair<K, V>& element) {
    tree.begin();
    put(tree.part("key", make), element.first);
    put(tree.part("value", make), element.second);
  }

  ColumnTree& tree_;
};

/// Loads what a ColumnsWriter has saved. THROWS: ModelError if something is missing or does not fit together.
class ColumnsReader {
 public:
  /// REQUIRES: the snapshot outlives this object and the tree.
  ColumnsReader(const Snapshot& snapshot, ColumnTree& tree) : snapshot_(snapshot), tree_(tree) {}

  template <class T>
  void operator()(std::string_view name, T& part) {
    take(find(tree_, name), part);
  }
  /// Was this list saved? Earlier versions did not have all of them.
  [[nodiscard]] bool has(std::string_view list) const {
    return snapshot_.tensors.contains(tree_.path() + "." + std::string(list) + ".size");
  }

 private:
  ColumnTree& find(ColumnTree& tree, std::string_view name) {
    return tree.part(name, [&](const std::string& path) {
      ColumnTree made(path);
      const auto found = snapshot_.tensors.find(path);
      if (found != snapshot_.tensors.end()) made.set_given(&found->second);
      return made;
    });
  }

  template <class T>
  void take(ColumnTree& tree, T& part) {
    if constexpr (std::same_as<T, bool>) {
      part = *tree.take(1, columns::dtype<bool>()) != 0;  // a value other than 0 and 1 is not a bool
    } else if constexpr (columns::Scalar<T>) {
      std::memcpy(&part, tree.take(sizeof part, columns::dtype<T>()), sizeof part);
    } else if constexpr (columns::Optional<T>) {
      bool has = false;
      take(find(tree, "has"), has);
      part.reset();
      if (has) take(tree, part.emplace());
    } else if constexpr (SavedAsArray<T>) {
      std::vector<double> values;
      take(tree, values);
      part.set_values(values);
    } else if constexpr (std::ranges::sized_range<T>) {
      take_list(tree, part);
    } else {
      tree.begin();
      ColumnsReader visit(snapshot_, tree);
      columns::list_state(part, visit);
    }
    tree.begin();
  }
  template <class T>
  void take_list(ColumnTree& tree, T& list) {
    tree.begin();
    std::uint32_t size = 0;
    take(find(tree, "size"), size);
    using Element = std::ranges::range_value_t<T>;
    if constexpr (columns::Scalar<Element> && std::ranges::contiguous_range<T>) {
      const char* values = tree.take(std::size_t{size} * sizeof(Element), columns::dtype<Element>());
      if constexpr (requires { list.resize(size); }) list.resize(size);
      if (list.size() != size) throw ModelError(tree.path() + " has the wrong size");
      if (size > 0) std::memcpy(std::ranges::data(list), values, std::size_t{size} * sizeof(Element));
    } else if constexpr (requires { list.emplace_back(); }) {
      list.clear();
      for (std::uint32_t k = 0; k < size; ++k) {
        tree.begin();
        take(find(tree, "of"), list.emplace_back());
      }
    } else {
      list.clear();
      for (std::uint32_t k = 0; k < size; ++k) {
        tree.begin();
        take_key(find(tree, "of"), list);
      }
    }
  }
  template <class T>
  void take_key(ColumnTree& tree, T& list) {
    typename T::key_type key{};
    if constexpr (requires { typename T::mapped_type; }) {
      tree.begin();
      take(find(tree, "key"), key);
      take(find(tree, "value"), list[key]);
    } else {
      take(tree, key);
      list.insert(key);
    }
  }

  const Snapshot& snapshot_;
  ColumnTree& tree_;
};

/// Saves an object under names that begin with `name` and a dot.
template <class T>
void save_columns(const std::string& name, const T& object, Snapshot& snapshot) {
  ColumnTree tree;
  ColumnsWriter visit(tree);
  visit(name, object);
  tree.write_to(snapshot);
}
/// THROWS: ModelError.
template <class T>
void load_columns(const std::string& name, const Snapshot& snapshot, T& object) {
  ColumnTree tree;
  ColumnsReader visit(snapshot, tree);
  visit(name, object);
  tree.expect_end();
}

}  // namespace askfew
