"""HTTP: the original web API of Tab, native frames with streams, and the page."""
