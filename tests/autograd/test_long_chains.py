"""A million operations build, differentiate and are destroyed, on a thread with a stack of 256 KB.

Each runs in an interpreter of its own: an overflow of the stack would end this one without a word.
"""

import subprocess
import sys
import textwrap

import pytest

# Python 3.13 lets its own deallocator nest thousands of levels deep: on 256 KB a chain of nested tuples overflows too.
STACK_KB = 1024 if sys.version_info[:2] == (3, 13) else 256

ON_A_SMALL_STACK = """
import threading

def main():
{body}
    finished.append(True)

finished = []
threading.stack_size({stack_kb} * 1024)
thread = threading.Thread(target=main)
thread.start()
thread.join()
print("finished" if finished else "failed")
"""


def run_on_a_small_stack(body: str) -> None:
    source = ON_A_SMALL_STACK.format(stack_kb=STACK_KB, body=textwrap.indent(textwrap.dedent(body), "    "))
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "finished", "")


def test_a_million_tensor_operations_differentiate() -> None:
    run_on_a_small_stack(
        """
        from minitorch import Tensor
        x = Tensor(1.0, requires_grad=True)
        y = x
        for _ in range(1_000_000):
            y = y + 1.0
        y.backward()
        assert x.grad == 1.0
        del y
        """
    )


def test_a_million_tensor_operations_are_destroyed_without_backward() -> None:
    run_on_a_small_stack(
        """
        from minitorch import Tensor
        y = Tensor(1.0, requires_grad=True)
        for _ in range(1_000_000):
            y = y + 1.0
        del y
        """
    )


def test_a_chain_through_operations_of_every_arity_is_destroyed() -> None:
    run_on_a_small_stack(
        """
        import minitorch
        from minitorch import Tensor
        x = y = Tensor([1.0], requires_grad=True)
        for _ in range(20_000):
            y = minitorch.cat([y.tanh() * y, x])[:1].reshape(1)
        y.backward()
        del y
        """
    )


def test_a_hand_made_chain_differentiates_and_is_destroyed() -> None:
    run_on_a_small_stack(
        """
        from minitorch import Tensor
        def twice(x):
            out = Tensor(x.data * 2, requires_grad=True, _prev=(x,), _op="twice")
            def _backward():
                x.grad = (x.grad if x.grad is not None else 0) + out.grad
            out._backward = _backward
            return out
        x = y = Tensor(1.0, requires_grad=True)
        for _ in range(100_000):
            y = twice(y)
            y.data[...] = 1.0
        y.backward()
        assert x.grad == 1.0
        """
    )


@pytest.mark.parametrize("backward", [True, False], ids=["differentiated", "only built"])
def test_a_million_scalar_operations(backward: bool) -> None:
    run_on_a_small_stack(
        f"""
        from minitorch.scalar import Value
        x = Value(1.0)
        y = x
        for _ in range(1_000_000):
            y = y + 1.0
        if {backward}:
            y.backward()
            assert x.grad == 1.0
        del y
        """
    )
