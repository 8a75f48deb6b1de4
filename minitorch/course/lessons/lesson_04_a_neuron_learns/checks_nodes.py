"""How the answers of lesson 04 are observed: the driver of five exercises.

The nodes are made in the child, of a small Value with the operators that lesson 01 taught and no others. Nothing of
the learner's other lessons is needed.
"""


def observe_nodes(learner, x):
    """Call the function that a case is for, on nodes with the operators of lesson 01, and describe what it did."""

    class Value:
        def __init__(self, data, _prev=(), _op="", _local_grads=(), label=""):
            self.data, self.grad, self.label = float(data), None, label
            self._prev, self._op, self._local_grads = _prev, _op, _local_grads

        def __repr__(self):
            return f"Value({self.data})"

        def __add__(self, other):
            if isinstance(other, Value):
                return Value(self.data + other.data, (self, other), "+", (1.0, 1.0))
            return Value(self.data + other, (self,), "+", (1.0,))

        def __mul__(self, other):
            if isinstance(other, Value):
                return Value(self.data * other.data, (self, other), "*", (other.data, self.data))
            return Value(self.data * other, (self,), "*", (other,))

        def __pow__(self, n):
            return Value(self.data**n, (self,), "**", (n * self.data ** (n - 1),))

        def __neg__(self):
            return self * -1.0

        def __sub__(self, other):
            return self + (-other)

        __radd__, __rmul__ = __add__, __mul__

        def __rsub__(self, other):
            return -self + other

    def ordered(root):
        order, seen, stack = [], set(), [(root, False)]
        while stack:
            node, done = stack.pop()
            if done:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                stack.append((node, True))
                stack.extend((parent, False) for parent in node._prev)
        return order

    def plain(thing):
        is_number = isinstance(thing, (int, float)) and not isinstance(thing, bool)
        return float(thing) if is_number else thing

    def entries(things, leaves):
        """What stands in a list now: the places that its leaves had, and what is none of them."""
        places = {id(leaf): place for place, leaf in enumerate(leaves)}
        return [
            places.get(
                id(each), [type(each).__name__, plain(getattr(each, "data", None)), getattr(each, "_prev", ()) != ()]
            )
            for each in things
        ]

    def observe_loss():
        """Call hinge_loss on fresh nodes, and walk back from what it returns."""
        scores = [Value(number) for number in x["scores"]]
        given, labels = list(scores), list(x["labels"])
        loss = learner.hinge_loss(given, labels)
        seen = {"list": entries(given, scores), "scores": [plain(score.data) for score in scores], "labels": labels}
        if not isinstance(loss, Value):
            return seen | {"no node": type(loss).__name__}
        order = ordered(loss)
        grads = dict.fromkeys(order, 0.0) | dict.fromkeys(scores, 0.0) | {loss: 1.0}
        for node in reversed(order):
            for parent, local in zip(node._prev, node._local_grads):
                grads[parent] += float(local) * grads[node]
        reached = [score in order for score in scores]
        return seen | {"loss": plain(loss.data), "grads": [grads[score] for score in scores], "reached": reached}

    def observe_parameters():
        """Give leaves their grads, call the function, and note what the same leaves hold afterwards."""
        leaves = [Value(number) for number in x["data"]]
        for leaf, grad in zip(leaves, x["grad"]):
            leaf.grad = grad
        parameters = list(leaves)
        returned = learner.sgd_step(parameters, x["lr"]) if "lr" in x else learner.zero_grad(parameters)
        seen = {} if "lr" not in x or returned is parameters else {"returned": type(returned).__name__}
        return seen | {
            "data": [plain(leaf.data) for leaf in leaves],
            "grad": [plain(getattr(leaf, "grad", "deleted")) for leaf in leaves],
            "list": entries(parameters, leaves),
            "parents": [len(leaf._prev) for leaf in leaves],
        }

    def observe_steps():
        """Train the leaves of a small program for some calls of train_step; note their numbers after each call."""
        names = {name: Value(number) for name, number in x.items() if name in ("p", "q", "r")}
        for name, leaf in names.items():
            leaf.grad = x.get(f"{name}.grad")
        calls = {"loss_of": 0, "backward": 0}

        def loss_of():
            calls["loss_of"] += 1
            return eval(x["code"], {}, names)  # noqa: S307 - the text is this check's own

        def backward(loss):
            calls["backward"] += 1
            order = ordered(loss)
            for node in order:
                if node._prev:
                    node.grad = None
            loss.grad = 1.0
            for node in reversed(order):
                for parent, local in zip(node._prev, node._local_grads):
                    part = local * node.grad
                    parent.grad = part if parent.grad is None else parent.grad + part

        parameters, returned, data = list(names.values()), [], []
        for _ in range(x["calls"]):
            if "tries" in x:
                returned.append(plain(learner.careful_step(parameters, loss_of, backward, x["lr"], x["tries"])))
            else:
                returned.append(plain(learner.train_step(parameters, loss_of, backward, x["lr"])))
            data.append([plain(leaf.data) for leaf in names.values()])
        grads = [plain(leaf.grad) for leaf in names.values()]
        return {"returned": returned, "data": data, "grads": grads, **calls}

    return observe_loss() if "scores" in x else observe_steps() if "code" in x else observe_parameters()
