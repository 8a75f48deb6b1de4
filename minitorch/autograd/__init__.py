"""How gradients are recorded and computed: nodes, declarations of operations, and the walk."""
