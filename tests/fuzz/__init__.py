"""Long random searches for broken promises, outside of the test suite: `python tests/fuzz/run.py --minutes N`."""
