"""What the tests share: the oracle, the interpreted baseline, random cases, and ways of cutting a text."""
