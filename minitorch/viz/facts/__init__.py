"""Facts about a graph: nodes, edges, values, gradients, passes, and what is wrong with them. Nothing is drawn here."""
