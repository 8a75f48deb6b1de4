"""Pictures of facts: scenes, layout, SVG, text, HTML, colours and the scripts that run in a browser."""
