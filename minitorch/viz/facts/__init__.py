"""Facts about a graph: nodes, edges, values, gradients, passes, and what is wrong with them.

    model                  Graph, NodeFacts, Edge, Trace, Event, Reading: plain facts, to JSON and back
    capture                whatever holds a graph, as facts; each kind has a file:
    tensors  scalars  stored  closures     our Tensors, Values, explicit graphs, Tensors that a learner wrote
    results                the parts of a tuple, a mapping, a dataclass that have a graph
    reading  words         what is written down of an array; numbers, names and sentences, the same in every form
    counting               whole numbers in sentences
    formulas               operations: their other names, their local rules, the shapes of what rules return
    with_arrays  faults    a graph with its arrays beside it; what can be wrong with a gradient
    scopes  repeats  folding  levels       large graphs: modules, repetitions, groups of nodes, what a group shows
    births                 where a nan or an inf comes from
    shapes                 the rows of viz.shapes
    alignment  differences  surroundings   viz.compare: two graphs matched, where they first part, what is near that
    two_arrays             whether two arrays are equal up to rounding, and how they differ
    single_numbers  walks  watched_walk  fan_out   viz.fan_out: graphs of numbers, walked by right and wrong code
    predictions  questions  misconceptions     a pass that is predicted: what is asked, what is right, what slips make
    entries                the same of one entry of a small array
    heat  module_tree      what is shown of a Tensor and of a module
    training  observer  board      viz.live: what is seen of a training, how it is seen, what is said of it
    grades                 the newest figures of a training at the nodes of a graph, and what they are worth
    calculating  operands  nudging         viz.nudge: arithmetic, what each node does with which numbers, what differs
    flat_sides             operations on whose flat side no gradient passes
    routes  unbroadcast  rearranging       numbers that are stretched, moved and picked, and come back
    growing                viz.grow: which node of one time is which of the next
    memory  allocations  remaining  holders        viz.memory: arrays over time, how they are seen, what keeps them
    program                viz.program: the lines of a captured step, and what lies in which memory
    boundary  curve  descent          the facts of the views of these names

Nothing is drawn here, and nothing of drawing/ or views/ is imported.
"""
