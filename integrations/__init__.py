"""Replies for other people's interfaces: parser events as the streams and messages that API clients expect."""
