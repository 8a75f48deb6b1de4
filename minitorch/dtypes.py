"""The dtypes by PyTorch's names: `minitorch.float32` is NumPy's dtype of that name."""

import numpy as np

__all__ = ["bool", "double", "float", "float16", "float32", "float64", "int", "int16", "int32", "int64", "int8", "long"]
__all__ += ["uint8"]

float16 = np.dtype(np.float16)
float32 = float = np.dtype(np.float32)
float64 = double = np.dtype(np.float64)
int8 = np.dtype(np.int8)
int16 = np.dtype(np.int16)
int32 = int = np.dtype(np.int32)
int64 = long = np.dtype(np.int64)
uint8 = np.dtype(np.uint8)
bool = np.dtype(np.bool_)
