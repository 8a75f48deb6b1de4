"""Rare optimisers, imported when one of their names is asked for (`minitorch.optim` says which).

adaptive      step sizes of each number's own: Adagrad, Adamax, NAdam, RAdam, Rprop; and ASGD
adafactor     Adam's denominator from one number for each row and column
muon          for matrices: steps whose directions are about equally long
swa_utils     weights averaged over steps
"""
