"""askfew on a cluster of Ray: experiments whose jobs run on all nodes, and topics that are shared among actors.

It needs Ray: `pip install 'askfew[ray]'`. Without `ray.init(address=...)` Ray starts on this machine alone. Every node needs
the same build of askfew.
"""

from __future__ import annotations

try:
    import ray as _ray  # noqa: F401
except ImportError as missing:
    raise ImportError("askfew.ray needs Ray, which is not installed: pip install 'askfew[ray]'", name="ray") from missing

from .experiments import compare, coverage, reproduce, tune
from .topics import TopicAnswers, TopicShards

__all__ = ["TopicAnswers", "TopicShards", "compare", "coverage", "reproduce", "tune"]
