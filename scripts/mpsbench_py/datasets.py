"""The published files of the data sets, and where to download them.

src/input/dataset/catalog.cpp has the same names, sizes and checksums; a test compares the two.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class PublishedFile:
    urls: tuple[str, ...]  # all have the same file; they are tried in this order
    size_bytes: int
    sha256: str
    unpacks_to: str = ""  # for a packed file, the file or the folder in it

    @property
    def name(self) -> str:
        return self.urls[0].rpartition("/")[2]


def at(folders: tuple[str, ...], name: str, size_bytes: int, sha256: str, unpacks_to: str = "") -> PublishedFile:
    return PublishedFile(tuple(folder + name for folder in folders), size_bytes, sha256, unpacks_to)


CIFAR = ("https://www.cs.toronto.edu/~kriz/", "https://cave.cs.toronto.edu/kriz/")
MNIST = ("https://ossci-datasets.s3.amazonaws.com/mnist/", "https://storage.googleapis.com/cvdf-datasets/mnist/")
TREC = ("https://cogcomp.seas.upenn.edu/Data/QA/QC/",)
BERT = ("https://huggingface.co/google-bert/bert-base-uncased/resolve/main/",)

# fmt: off
DATASETS: dict[str, tuple[PublishedFile, ...]] = {
    "cifar10": (
        at(CIFAR, "cifar-10-binary.tar.gz", 170_052_171,
           "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd", "cifar-10-batches-bin"),
    ),
    "mnist": (
        at(MNIST, "train-images-idx3-ubyte.gz", 9_912_422,
           "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609", "train-images-idx3-ubyte"),
        at(MNIST, "train-labels-idx1-ubyte.gz", 28_881,
           "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c", "train-labels-idx1-ubyte"),
        at(MNIST, "t10k-images-idx3-ubyte.gz", 1_648_877,
           "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6", "t10k-images-idx3-ubyte"),
        at(MNIST, "t10k-labels-idx1-ubyte.gz", 4_542,
           "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6", "t10k-labels-idx1-ubyte"),
    ),
    "trec": (
        at(TREC, "train_5500.label", 335_858, "9e4c8bdcaffb96ed61041bd64b564183d52793a8e91d84fc3a8646885f466ec3"),
        at(TREC, "TREC_10.label", 23_354, "033f22c028c2bbba9ca682f68ffe204dc1aa6e1cf35dd6207f2d4ca67f0d0e8e"),
    ),
    "vocab": (
        at(BERT, "vocab.txt", 231_508, "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"),
    ),
}
# fmt: on
