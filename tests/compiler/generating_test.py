"""What the compiler writes in another way for one token on a GPU computes the same."""

import unittest

import support
import wanted

wanted.packages("torch")

import inference  # noqa: E402
import layers  # noqa: E402
import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402


def attention(scale: float | None) -> layers.Layer:
    node = support.node("attention", "scaled_dot_product_attention", 0, scale=scale)
    return layers.Layer(node, training=False, drops_out=False)


class Generating(unittest.TestCase):
    def test_products_are_attention(self) -> None:
        query, keys, values = (torch.randn(2, 3, length, 64) for length in (4, 16, 16))
        seen = torch.arange(16)[None] < 9
        for scale in (None, 0.3):
            layer = attention(scale)
            expected = F.scaled_dot_product_attention(query, keys, values, attn_mask=seen, scale=scale)
            torch.testing.assert_close(layers.products(layer, query, keys, values, seen), expected)

    def test_large_keys_are_not_too_large_for_fp16(self) -> None:
        layer = attention(None)
        query, keys = (torch.full([1, 1, length, 64], 40.0, dtype=torch.float16) for length in (1, 2))
        seen = torch.ones(1, 2, dtype=torch.bool)
        self.assertTrue(torch.isfinite(layers.products(layer, query, keys, keys, seen)).all())

    def test_the_likeliest_token_is_found_in_two_steps(self) -> None:
        for tokens in (1, 255, 256, 1000):
            logits = (torch.randn(3, 1, tokens) - 10).to(torch.bfloat16)  # with ties
            self.assertEqual(inference.likeliest(logits).tolist(), logits.argmax(-1).tolist())
