"""Data: datasets, loaders, and small problems to learn from. Nothing is ever downloaded.

dataset, collate      collections of samples; many samples become one batch
sampler               in which order samples are taken
loader, _prefetch     DataLoader, batch by batch; batches made ahead of time
_generator            where a random order comes from
toy, digits           problems in the plane, handwritten digits
text, stories         characters, and a text to learn them from
"""

from minitorch.data.collate import default_collate
from minitorch.data.dataset import (
    ConcatDataset,
    Dataset,
    IterableDataset,
    Subset,
    TensorDataset,
    get_worker_info,
    random_split,
)
from minitorch.data.digits import load_digits
from minitorch.data.loader import DataLoader
from minitorch.data.sampler import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)
from minitorch.data.stories import Stories, stories
from minitorch.data.text import CharacterWindows, Vocabulary, function_names, name_contexts, topics_text
from minitorch.data.toy import blobs, circles, moons, spirals, xor

__all__ = [
    "BatchSampler",
    "CharacterWindows",
    "ConcatDataset",
    "DataLoader",
    "Dataset",
    "IterableDataset",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "Stories",
    "Subset",
    "SubsetRandomSampler",
    "TensorDataset",
    "Vocabulary",
    "WeightedRandomSampler",
    "blobs",
    "circles",
    "default_collate",
    "function_names",
    "get_worker_info",
    "load_digits",
    "moons",
    "name_contexts",
    "random_split",
    "spirals",
    "stories",
    "topics_text",
    "xor",
]
