"""PyTorch's names that the course does not use: rare operations, layers, optimisers, imported when asked for.

autograd, ops, nn, optim          jacobians, operations, layers and functions, optimisers: as in the core
linalg, special                   linear algebra; special functions, under PyTorch's names
distributions                     probability distributions: draws, densities, divergences
func                              functions of functions: grad, vjp, jvp, functional_call …
accelerator, cuda, backends       questions about GPUs; settings of PyTorch's libraries, which nothing reads
utils, signal                     data sets, checkpointing and windows, where programs look for them
programs                          pi, finfo, set_num_threads: what programs ask of the module itself
amp                               autocast and GradScaler
testing                           assert_close
porting                           the analysis of PyTorch programs for `minitorch port`
"""
