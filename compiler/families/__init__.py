"""The model families whose response templates are shipped: what is known of them, and how to tell them apart."""
