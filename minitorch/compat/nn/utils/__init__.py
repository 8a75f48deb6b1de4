"""Weights that are computed when they are read, and sequences of different lengths.

parametrize, parametrizations   any formula; formulas that have names
normed_weights                  weight_norm and spectral_norm as they were before
rnn                             packed sequences, where PyTorch has them
"""
