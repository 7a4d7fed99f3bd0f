"""Shows a tournament: the summary, files, the HTML page, texts, and the progress display."""
