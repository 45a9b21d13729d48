"""Networks that neither torchvision nor transformers has, with the names of the authors' or the widespread versions."""

import math

import torch
from torch import nn
from torch.nn import functional as F


class DoubleConv(nn.Module):
    def __init__(self, before: int, after: int) -> None:
        super().__init__()
        parts: list[nn.Module] = []
        for size in (before, after):
            parts += [nn.Conv2d(size, after, 3, padding=1, bias=False), nn.BatchNorm2d(after), nn.ReLU(inplace=True)]
        self.double_conv = nn.Sequential(*parts)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.double_conv(x)


class Down(nn.Module):
    def __init__(self, before: int, after: int) -> None:
        super().__init__()
        self.maxpool_conv = nn.Sequential(nn.MaxPool2d(2), DoubleConv(before, after))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.maxpool_conv(x)


class Up(nn.Module):
    def __init__(self, before: int, after: int) -> None:
        super().__init__()
        self.up = nn.ConvTranspose2d(before, after, 2, stride=2)
        self.conv = DoubleConv(before, after)

    def forward(self, x: torch.Tensor, skipped: torch.Tensor) -> torch.Tensor:
        return self.conv(torch.cat([skipped, self.up(x)], 1))


class OutConv(nn.Module):
    def __init__(self, before: int, classes: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(before, classes, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv(x)


class UNet(nn.Module):
    """Ronneberger et al. 2015, arXiv:1505.04597, padded and with batch norm, for two classes."""

    def __init__(self) -> None:
        super().__init__()
        self.inc = DoubleConv(3, 64)
        self.down1, self.down2, self.down3, self.down4 = (Down(64 << level, 128 << level) for level in range(4))
        self.up1, self.up2, self.up3, self.up4 = (Up(1024 >> level, 512 >> level) for level in range(4))
        self.outc = OutConv(64, 2)

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        one = self.inc(input)
        two = self.down1(one)
        three = self.down2(two)
        four = self.down3(three)
        five = self.down4(four)
        return self.outc(self.up4(self.up3(self.up2(self.up1(five, four), three), two), one))


class TimestepEmbedder(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(256, width), nn.SiLU(), nn.Linear(width, width))

    def forward(self, t: torch.Tensor) -> torch.Tensor:
        frequencies = torch.exp(-math.log(10000) * torch.arange(128, dtype=torch.float32, device=t.device) / 128)
        angles = t[:, None].float() * frequencies
        return self.mlp(torch.cat([angles.cos(), angles.sin()], -1))


class LabelEmbedder(nn.Module):
    def __init__(self, labels: int, width: int) -> None:
        super().__init__()
        self.embedding_table = nn.Embedding(labels, width)

    def forward(self, labels: torch.Tensor) -> torch.Tensor:
        return self.embedding_table(labels)


class PatchEmbed(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.proj = nn.Conv2d(4, width, 2, stride=2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.proj(x).flatten(2).transpose(1, 2)


class Attention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        query, key, value = self.qkv(x).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        return self.proj(F.scaled_dot_product_attention(query, key, value).transpose(1, 2).flatten(2))


class Mlp(nn.Module):
    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(width, inner), nn.Linear(inner, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.fc2(F.gelu(self.fc1(x), approximate="tanh"))


def modulate(x: torch.Tensor, shift: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    return x * (1 + scale.unsqueeze(1)) + shift.unsqueeze(1)


class DiTBlock(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(width, eps=1e-6, elementwise_affine=False)
        self.attn = Attention(width, heads)
        self.norm2 = nn.LayerNorm(width, eps=1e-6, elementwise_affine=False)
        self.mlp = Mlp(width, 4 * width)
        self.adaLN_modulation = nn.Sequential(nn.SiLU(), nn.Linear(width, 6 * width))

    def forward(self, x: torch.Tensor, c: torch.Tensor) -> torch.Tensor:
        parts = self.adaLN_modulation(c).chunk(6, 1)
        x = x + parts[2].unsqueeze(1) * self.attn(modulate(self.norm1(x), parts[0], parts[1]))
        return x + parts[5].unsqueeze(1) * self.mlp(modulate(self.norm2(x), parts[3], parts[4]))


class FinalLayer(nn.Module):
    def __init__(self, width: int, outputs: int) -> None:
        super().__init__()
        self.norm_final = nn.LayerNorm(width, eps=1e-6, elementwise_affine=False)
        self.linear = nn.Linear(width, outputs)
        self.adaLN_modulation = nn.Sequential(nn.SiLU(), nn.Linear(width, 2 * width))

    def forward(self, x: torch.Tensor, c: torch.Tensor) -> torch.Tensor:
        shift, scale = self.adaLN_modulation(c).chunk(2, 1)
        return self.linear(modulate(self.norm_final(x), shift, scale))


class DiT(nn.Module):
    """DiT-B/2: Peebles and Xie 2022, arXiv:2212.09748. T and Y are [batch, 1]."""

    def __init__(self, width: int = 768, layers: int = 12, heads: int = 12) -> None:
        super().__init__()
        self.x_embedder = PatchEmbed(width)
        self.t_embedder = TimestepEmbedder(width)
        self.y_embedder = LabelEmbedder(1001, width)
        self.pos_embed = nn.Parameter(torch.randn(1, 256, width), requires_grad=False)
        self.blocks = nn.ModuleList([DiTBlock(width, heads) for _ in range(layers)])
        self.final_layer = FinalLayer(width, 32)

    def forward(self, x: torch.Tensor, t: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        x, c = self.x_embedder(x) + self.pos_embed, self.t_embedder(t[:, 0]) + self.y_embedder(y[:, 0])
        for block in self.blocks:
            x = block(x, c)
        patches = self.final_layer(x, c).unflatten(1, (16, 16)).unflatten(-1, (2, 2, 8))
        return torch.einsum("nhwpqc->nchpwq", patches).reshape(x.size(0), 8, 32, 32)
