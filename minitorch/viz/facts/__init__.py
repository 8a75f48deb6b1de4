"""Facts about a graph: nodes, edges, values, gradients, passes, and what is wrong with them. Nothing is drawn here.

model          Graph, NodeFacts, Edge, Trace, Event, Reading: plain facts, to JSON and back
capture        from whatever holds a graph to facts; each kind has a file:
tensors  scalars  stored  closures     our Tensors, Values, explicit graphs, and Tensors that a learner wrote
reading        what is written down of an array
words          numbers, names and sentences, the same in every form
formulas       what the pictures know of operations: other names, local rules, shapes
held  faults   a graph with its arrays beside it; what can be wrong with a gradient
shapes         rows of the gradient-shape table
alignment  differences         two graphs of one computation matched; where they first part
single_numbers  walks  watched_walk  fan_out    graphs of numbers, walked by right and wrong algorithms and by yours
unbroadcast  boundary          sums back to a stretched operand; regions of a classifier
"""
