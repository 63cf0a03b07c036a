"""From a file, a folder or a dict to a checked `Template`."""
