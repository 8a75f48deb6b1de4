"""Rare optimisers, imported when one of their names is asked for (`minitorch.optim` says which).

adaptive      relatives of Adam: Adamax, NAdam, RAdam, Adadelta
adagrad       a step size for each number, from the sum of all its squared gradients
asgd          descent beside the average of its parameters
rprop         steps of which only the signs of gradients decide, for whole data sets
adafactor     Adam's denominator from one number for each row and column
muon          for matrices: steps whose directions are about equally long
swa_utils     weights averaged over steps
"""
