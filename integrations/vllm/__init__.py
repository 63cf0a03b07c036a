"""vLLM: `plugin` is the file for its options `--tool-parser-plugin` and `--reasoning-parser-plugin`."""
