"""What templates and replies from strangers can not do."""
