"""Known-wrong versions of `toposort`: each stands for one way to get it wrong."""

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "toposort",
    id="recursive",
    hint=3,
    en="The order is right, but the function calls itself for every level. In a chain of 5,000 nodes Python stops it.",
    es="El orden es correcto, pero la función se llama a sí misma en cada nivel. En una cadena de 5000 nodos Python la detiene.",
)
def toposort(root):
    order, seen = [], set()

    def visit(node):
        if node in seen:
            return
        seen.add(node)
        for parent in node._prev:
            visit(parent)
        order.append(node)

    visit(root)
    return order


@known_wrong(
    "toposort",
    id="breadth-first",
    hint=1,
    en="You went level by level (breadth first). A node with a short and a long path to root then lands too late in the list.",
    es="Fuiste nivel por nivel (en anchura). Un nodo con un camino corto y otro largo hasta root cae entonces demasiado tarde en la lista.",
)
def toposort(root):
    order, seen, queue = [], {root}, [root]
    for node in queue:
        order.append(node)
        for parent in node._prev:
            if parent not in seen:
                seen.add(parent)
                queue.append(parent)
    return order[::-1]


@known_wrong(
    "toposort",
    id="pre-order",
    hint=1,
    en="You added each node when you reached it (pre-order), and turned the list round. Add it when all its parents are done.",
    es="Añadiste cada nodo al llegar a él (preorden) y diste la vuelta a la lista. Añádelo cuando todos sus padres estén listos.",
)
def toposort(root):
    order, seen, stack = [], set(), [root]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            order.append(node)
            stack.extend(node._prev)
    return order[::-1]


@known_wrong(
    "toposort",
    id="pre-order-recursive",
    hint=1,
    en="You added each node before its parents (pre-order), and turned the list round. Add it after the loop over its parents.",
    es="Añadiste cada nodo antes que sus padres (preorden) y diste la vuelta a la lista. Añádelo después del bucle de sus padres.",
)
def toposort(root):
    order, seen = [], set()

    def visit(node):
        if node in seen:
            return
        seen.add(node)
        order.append(node)
        for parent in node._prev:
            visit(parent)

    visit(root)
    return order[::-1]


@known_wrong(
    "toposort",
    id="no-seen-set",
    hint=2,
    en="A node that is used twice is in your list twice. Keep a set of the nodes that you have seen.",
    es="Un nodo que se usa dos veces está dos veces en tu lista. Guarda un set con los nodos que ya viste.",
)
def toposort(root):
    order, stack = [], [(root, False)]
    while stack:
        node, parents_done = stack.pop()
        if parents_done:
            order.append(node)
            continue
        stack.append((node, True))
        stack.extend((parent, False) for parent in node._prev)
    return order


@known_wrong(
    "toposort",
    id="no-seen-set-recursive",
    hint=2,
    en="A node that is used twice is in your list twice: keep a set of the nodes that you have seen. The recursion comes after that.",
    es="Un nodo que se usa dos veces está dos veces en tu lista: guarda un set con los ya vistos. La recursión viene después.",
)
def toposort(root):
    order = []

    def visit(node):
        for parent in node._prev:
            visit(parent)
        order.append(node)

    visit(root)
    return order


@known_wrong(
    "toposort",
    id="upside-down",
    hint=1,
    en="Your list begins with root: children before parents. Asked for is the other way round, root last.",
    es="Tu lista empieza por root: los hijos antes que los padres. Se pide al revés, con root al final.",
)
def toposort(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        node, parents_done = stack.pop()
        if parents_done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((parent, False) for parent in node._prev)
    return order[::-1]


@known_wrong(
    "toposort",
    id="upside-down-recursive",
    hint=1,
    en="Your list begins with root: turn it round, so that root is last. After that, a chain of 5,000 nodes will stop the recursion.",
    es="Tu lista empieza por root: dale la vuelta, con root al final. Después, una cadena de 5000 nodos detendrá la recursión.",
)
def toposort(root):
    order, seen = [], set()

    def visit(node):
        if node in seen:
            return
        seen.add(node)
        for parent in node._prev:
            visit(parent)
        order.insert(0, node)

    visit(root)
    return order


@known_wrong(
    "toposort",
    id="pre-order-root-first",
    hint=1,
    en="You added each node before its parents (pre-order), so root is first. Add it after the loop over its parents.",
    es="Añadiste cada nodo antes que sus padres (preorden), así que root queda primero. Añádelo después del bucle de sus padres.",
)
def toposort(root):
    order, seen = [], set()

    def visit(node):
        if node in seen:
            return
        seen.add(node)
        order.append(node)
        for parent in node._prev:
            visit(parent)

    visit(root)
    return order


@known_wrong(
    "toposort",
    id="seen-by-number",
    hint=2,
    en="You remember the numbers you have seen, not the nodes. Two nodes may hold the same number, and then one is lost.",
    es="Recuerdas los números que viste, no los nodos. Dos nodos pueden tener el mismo número, y entonces se pierde uno.",
)
def toposort(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        node, parents_done = stack.pop()
        if parents_done:
            order.append(node)
        elif node.data not in seen:
            seen.add(node.data)
            stack.append((node, True))
            stack.extend((parent, False) for parent in node._prev)
    return order


@known_wrong(
    "toposort",
    id="root-left-out",
    hint=1,
    en="root itself is missing. The walk backward starts there, so it belongs in the list, as its last entry.",
    es="Falta el propio root. El recorrido hacia atrás empieza ahí, así que va en la lista, como última entrada.",
)
def toposort(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        node, parents_done = stack.pop()
        if parents_done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((parent, False) for parent in node._prev)
    return order[:-1]


@known_wrong(
    "toposort",
    id="leaves-left-out",
    hint=1,
    en="The leaves are missing. They have no parents, but they are nodes like the others, and theirs are the gradients we want.",
    es="Faltan las hojas. No tienen padres, pero son nodos como los demás, y sus gradientes son los que queremos.",
)
def toposort(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        node, parents_done = stack.pop()
        if parents_done:
            order.append(node)
        elif node not in seen and node._prev:
            seen.add(node)
            stack.append((node, True))
            stack.extend((parent, False) for parent in node._prev)
    return order


@known_wrong(
    "toposort",
    id="seen-when-pushed",
    hint=2,
    en="You marked nodes as seen when you put them on the stack. A node lower in the stack may be needed sooner: mark it when it is popped.",
    es="Marcaste los nodos como vistos al ponerlos en la pila. Uno de más abajo puede hacer falta antes: márcalo al sacarlo.",
)
def toposort(root):
    order, seen, stack = [], {root}, [(root, False)]
    while stack:
        node, parents_done = stack.pop()
        if parents_done:
            order.append(node)
            continue
        stack.append((node, True))
        for parent in node._prev:
            if parent not in seen:
                seen.add(parent)
                stack.append((parent, False))
    return order


@known_wrong(
    "toposort",
    id="seen-kept-between-calls",
    hint=2,
    en="Your set of seen nodes lives on after the call, so a second call finds nothing left to do. Make it anew inside the function.",
    es="Tu set de nodos vistos sigue vivo después de la llamada, y la segunda ya no encuentra nada. Créalo de nuevo dentro de la función.",
)
def toposort(root, seen=set()):
    order, stack = [], [(root, False)]
    while stack:
        node, parents_done = stack.pop()
        if parents_done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((parent, False) for parent in node._prev)
    return order
