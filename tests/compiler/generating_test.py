"""What the compiler writes in another way for one token on a GPU computes the same."""

import unittest

import support
import wanted

wanted.packages("torch")

import inference  # noqa: E402
import layers  # noqa: E402
import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402

NODE = support.node("attention", "scaled_dot_product_attention", 0, scale=0.3)


class Generating(unittest.TestCase):
    def test_products_are_attention(self) -> None:
        layer = layers.Layer(NODE, [], training=False, drops_out=False)
        query, keys, values = (torch.randn(2, 3, length, 8) for length in (4, 16, 16))
        seen = torch.arange(16)[None] < 9
        expected = F.scaled_dot_product_attention(query, keys, values, attn_mask=seen, scale=0.3)
        torch.testing.assert_close(layers.products(layer, query, keys, values, seen), expected)

    def test_the_likeliest_token_is_found_in_two_steps(self) -> None:
        for tokens in (1, 255, 256, 1000):
            logits = torch.randn(3, 1, tokens) - 10
            self.assertEqual(inference.likeliest(logits).tolist(), logits.argmax(-1).tolist())
