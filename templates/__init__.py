"""The response templates of model families, as JSON files; `untemplate.generated` holds the parsers made from them."""
