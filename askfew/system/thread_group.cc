#include "askfew/system/thread_group.h"

#include <fmt/format.h>
#include <system_error>

#include "askfew/core/errors.h"

namespace askfew {

void ThreadGroup::start(unsigned count, const std::function<void(unsigned)>& work,
                        const std::function<void()>& stop) {
  threads_.reserve(count);
  try {
    for (unsigned number = 0; number < count; ++number) threads_.emplace_back(work, number);
  } catch (const std::system_error& error) {
    const std::size_t started = threads_.size();
    stop();
    join();
    throw ResourceError(fmt::format("cannot start thread {} of {}: {}; use fewer threads", started + 1, count,
                                    error.code().message()));
  } catch (...) {
    stop();
    join();
    throw;
  }
}

void ThreadGroup::join() {
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace askfew
