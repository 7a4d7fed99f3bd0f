"""HTTP: the original web API, native frames with streams, and the page."""
