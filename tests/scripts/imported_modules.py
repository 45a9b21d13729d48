"""Modules that import_network_test.py imports."""

import torch
from torch import nn
from torch.nn import functional as F


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(12, 32)
        parts = (nn.LayerNorm(32), nn.Linear(32, 64), nn.GELU(), nn.Dropout(0.1), nn.Linear(64, 32))
        self.blocks = nn.ModuleList([nn.Sequential(*parts)])
        for _ in range(2):
            self.blocks.append(nn.Sequential(nn.LayerNorm(32), nn.Linear(32, 8), nn.SiLU(True), nn.Linear(8, 32)))
        self.last = nn.Linear(32, 5)

    def forward(self, x):
        x = F.relu(self.first(x))
        for block in self.blocks:
            x = x + block(x)
        return self.last(x)


class Squeeze(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.down = nn.Linear(size, size // 4)
        self.up = nn.Linear(size // 4, size)

    def forward(self, x):
        weight = torch.sigmoid(self.up(F.relu(self.down(x.mean((2, 3))))))
        return x * weight.view(x.size(0), -1, 1, 1)


class Block(nn.Module):
    def __init__(self, before, size, stride=1):
        super().__init__()
        self.conv = nn.Conv2d(before, size, 3, stride, 1, bias=False)
        self.bn = nn.BatchNorm2d(size)
        self.squeeze = Squeeze(size)
        self.short = nn.Conv2d(before, size, 1, stride) if before != size else None

    def forward(self, x):
        y = self.squeeze(F.hardswish(self.bn(self.conv(x)), inplace=True))
        y += x if self.short is None else self.short(x)
        return y


class Images(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, padding="same")
        self.act = nn.ReLU(inplace=True)
        self.body = nn.Sequential(Block(8, 8), Block(8, 8), Block(8, 16, 2), Block(16, 16), Block(16, 16))
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(16, 7)

    def forward(self, x):
        return self.fc(self.pool(self.body(self.act(self.stem(x)))).flatten(1))


class Texts(nn.Module):
    def __init__(self, causal=False, norm_first=True):
        super().__init__()
        self.words, self.places = nn.Embedding(50, 16), nn.Embedding(20, 16)
        layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True, norm_first=norm_first)
        self.encoder = nn.TransformerEncoder(layer, 3, enable_nested_tensor=False)
        self.head, self.causal = nn.Linear(16, 50), causal

    def forward(self, ids):
        x = self.words(ids) + self.places(torch.arange(ids.size(1)))
        mask = nn.Transformer.generate_square_subsequent_mask(ids.size(1)) if self.causal else None
        return self.head(self.encoder(x, mask=mask, is_causal=self.causal))


def causal_texts():
    return Texts(causal=True, norm_first=False)


class Patches(nn.Module):
    """Attention with weights, a class token, a learned scale and a convolution over time."""

    def __init__(self):
        super().__init__()
        self.token = nn.Parameter(torch.zeros(1, 1, 16))
        self.places = nn.Parameter(torch.randn(1, 11, 16) * 0.02)
        self.conv = nn.Conv1d(6, 16, 3, padding=1, groups=2)
        self.norm = nn.LayerNorm(16, bias=False)
        self.attention = nn.MultiheadAttention(16, 2, batch_first=True)
        self.scale = nn.Parameter(torch.full((16,), 1e-6))
        self.out = nn.Linear(16, 4)

    def forward(self, x):
        x = self.conv(x).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1) + self.places
        y = self.norm(x)
        x = x + self.scale * self.attention(y, y, y)[0]
        return self.out(torch.tanh(x[:, :1].reshape(-1, 16)) / 2)


class Grown(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.up = nn.ConvTranspose2d(8, 6, (2, 3), stride=2, padding=(0, 1))
        self.out = nn.Linear(6, 4)

    def forward(self, x):
        y = self.up(torch.roll(self.conv(x), (1, -2), (2, 3)))
        return self.out((y * (1 + y.sigmoid())).mean((2, 3)))


class Changed(nn.Module):
    """A value that is read after an in-place operation has changed it, and one that is copied before."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(6, 6), nn.Linear(6, 6)

    def forward(self, x):
        y = self.a(x)
        z = F.relu_(y.clone())
        w = self.b(y) + F.silu(y, inplace=True)
        return w + y + z + F.hardswish(torch.tanh(w).clone(), inplace=True)


class Strange(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Sequential(nn.Linear(6, 6), nn.Softplus(), nn.Linear(6, 6), nn.Softplus())

    def forward(self, x):
        return torch.cumsum(self.a(x), 1)


class Twice(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(6, 6), nn.Linear(6, 6)
        self.b.weight = self.a.weight

    def forward(self, x):
        return self.a(self.b(self.a(x)))


class Split(nn.Module):
    """A module whose parts run before and after another."""

    def __init__(self):
        super().__init__()
        self.pair, self.other = nn.ModuleList([nn.Linear(6, 6), nn.Linear(6, 6)]), nn.Linear(6, 6)

    def forward(self, x):
        return self.pair[1](self.other(self.pair[0](x)))


class Overwritten(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(6, 6)

    def forward(self, x):
        y = self.a(x)
        part = y[:, :3]
        F.relu_(y)
        return part * 2


class Batch(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(6, 6)

    def forward(self, x):
        return self.a(x) * x.shape[0]


class Unused(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(6, 6), nn.Linear(6, 6)

    def forward(self, x, y):
        return self.a(x)


def make_nothing():
    return 3


def make_wrong():
    raise ValueError("two words\nand more")
