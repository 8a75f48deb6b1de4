"""Drawings of facts, as SVG, text, HTML and DOT, and the scripts that show them in a browser.

palette  theme       colours, light and dark; style sheets made of them
svg  html  text  dot the writers of documents, pages, listings and Graphviz's language
scene                what each box and each edge of a graph says, how large it is, and where it goes
layout  layers  ordering  placing     where everything goes: rows, their order, x
graph  step          a scene as SVG; the same for the stepper
reel  player         pictures drawn ahead, frame by frame; a script of static/ with its facts, as widget and page
static/              graph.js the stepper, film.js the player of reels, theme.js what both share
walk_boxes  walk_words  bars  fan_out            what the views of one name draw and say
shapes  compare  grids  unbroadcast  boundary
"""
