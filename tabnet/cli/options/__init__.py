"""The options of commands: parsers, and the values that follow from the parsed options."""
