"""Weights that are computed when they are read, parameters as a vector, sequences of different lengths.

parametrize, parametrizations   any formula; formulas that have names
normed_weights                  weight_norm and spectral_norm as they were before
convert_parameters              parameters_to_vector and vector_to_parameters
rnn                             padded and packed sequences
"""
