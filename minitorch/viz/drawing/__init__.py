"""Drawings of facts, as SVG, text, HTML and DOT, and the scripts that show them in a browser.

    palette  theme         colours, light and dark; style sheets made of them
    svg  html  text  dot   the frames of documents and pages, listings, Graphviz's language
    pdf  pdf_file  letters         an SVG document of ours as a PDF; its file; its fonts
    styles  outlines       what the rules and the paths of such a document say
    png                    the same as pixels
    marks                  rings around boxes, and what they mean
    scene                  what each box and each arrow of a graph says, how large it is, and where it goes
    layout  layers  ordering  placing      where everything goes: rows, the order within a row, x
    dot_layout             the same by Graphviz
    controls               what the controls of players say
    graph  step  levels    a scene as SVG; the same for the stepper; the levels of a folded one
    predicting             the questions of a pass that is predicted, and what is replied
    sending                what a document keeps of such a scene
    reel  player           pictures drawn ahead, frame by frame; a script of static/ with its facts, as widget and page
    static/                graph.js and stepper.js the stepper, with stage.js its drawing, motion.js light on its edges,
                           pass.js what it knows, levels.js, finder.js, walker.js and style.js; predict.js the stepper
                           that asks; nudge.js numbers that change, with knob.js, arithmetic.js and agreement.js;
                           film.js the player of reels, live.js the board, memory.js that of a program's memory, with
                           drawn.js and choice.js; lecture.js slides, with camera.js and lecture_style.js; transport.js
                           what goes step by step, frame.js for all players, theme.js for all
    walk_boxes  walk_words  bars  fan_out  viz.fan_out: its graph, its sentences, its bars, its reels
    grids  routes          arrays as cells; how their numbers go and come back: viz.unbroadcast and its twins
    axes                   where a number stands on an axis, and the round numbers beside it; coordinates in few letters
    heat  module_tree      a Tensor as a heat map, a module as a tree that opens
    nudge                  viz.nudge: its graph, with room for other numbers, and what is sent to compute them
    moments  deck  deck_page       the steps of a picture for a slide; the slides of viz.lecture; a page for each step
    growing                viz.grow: where everything stands in a graph that grows
    board  live            viz.live: its board, and the screen on which that lives
    memory  memory_words  memory_player    viz.memory: its drawing, its sentences, what its player is given
    program                viz.program: calls from top to bottom, and a lane for each piece of memory
    compare  compare_rest  compare_words   viz.compare: two graphs beside each other, what is drawn as one, its words
    shapes  boundary  curve  descent       the drawings and texts of the views of these names

Facts are imported, views are not.
"""
