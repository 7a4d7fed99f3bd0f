"""Other doors onto the same service: the original web API, native frames over HTTP, the page."""
