"""torch.utils.data: the datasets, samplers and the loader of `minitorch.data`, which are at home there."""

from minitorch.data import (
    BatchSampler,
    ConcatDataset,
    DataLoader,
    Dataset,
    IterableDataset,
    RandomSampler,
    Sampler,
    SequentialSampler,
    Subset,
    SubsetRandomSampler,
    TensorDataset,
    WeightedRandomSampler,
    default_collate,
    get_worker_info,
    random_split,
)

__all__ = ["BatchSampler", "ConcatDataset", "DataLoader", "Dataset", "IterableDataset", "RandomSampler", "Sampler"]
__all__ += ["SequentialSampler", "Subset", "SubsetRandomSampler", "TensorDataset", "WeightedRandomSampler"]
__all__ += ["default_collate", "get_worker_info", "random_split"]
