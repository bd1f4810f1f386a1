"""askfew for Label Studio: people label in Label Studio, askfew decides which texts are worth their time.

Two ways: as a gateway askfew sees the stream and imports only what it asks; as a backend it scores the tasks that
Label Studio has already. `python -m askfew.label_studio --help` shows both.
"""
