"""Parts of PyTorch's `autograd` beyond the engine and its check, imported when it is asked for.

functional    vjp, jvp, jacobian, hessian …, of a function
anomaly       detect_anomaly: where a NaN was made
checkpoint    checkpoint_sequential: a chain in parts, each computed twice
"""
