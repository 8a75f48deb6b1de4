"""Known-wrong versions of `unbroadcast`: each stands for one way to get it wrong."""

import numpy as np

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "unbroadcast",
    id="nothing-summed",
    hint=1,
    en="You returned the gradient as it came. A stretched entry was used several times: what arrives at its copies is added.",
    es="Devolviste el gradiente tal como llegó. Una entrada estirada se usó varias veces: lo que llega a sus copias se suma.",
)
def unbroadcast(gradient, shape):
    return gradient


@known_wrong(
    "unbroadcast",
    id="leading-axes-forgotten",
    hint=2,
    en="You summed the axes of size 1, but not those that `shape` lacks. NumPy added them on the left, so they are summed too, and disappear.",
    es="Sumaste los ejes de tamaño 1, pero no los que faltan en `shape`. NumPy los añadió a la izquierda: también se suman, y desaparecen.",
)
def unbroadcast(gradient, shape):
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.sum(axis=axis - len(shape), keepdims=True)
    return gradient


@known_wrong(
    "unbroadcast",
    id="leading-axes-forgotten-and-counted-from-left",
    hint=2,
    en="The axes that `shape` lacks were added on the left: they are summed first. You left them, and took the axes of size 1 at the wrong places.",
    es="Los ejes que faltan en `shape` se añadieron a la izquierda: se suman primero. Los dejaste, y tomaste los de tamaño 1 en lugares que no son.",
)
def unbroadcast(gradient, shape):
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.sum(axis=axis, keepdims=True)
    return gradient


@known_wrong(
    "unbroadcast",
    id="leading-axes-forgotten-reshaped",
    hint=2,
    en="Your sum leaves more numbers than `shape` has room for: the axes that `shape` lacks are not summed. reshape never adds anything up.",
    es="Tu suma deja más números de los que caben en `shape`: no se suman los ejes que le faltan. reshape nunca suma nada.",
)
def unbroadcast(gradient, shape):
    axes = tuple(axis - len(shape) for axis, size in enumerate(shape) if size == 1)
    return gradient.sum(axis=axes, keepdims=True).reshape(shape)


@known_wrong(
    "unbroadcast",
    id="size-one-axes-forgotten",
    hint=2,
    en="You summed the missing axes only. An axis of size 1 in `shape` was stretched as well: sum it, and keep it with size 1.",
    es="Solo sumaste los ejes que faltan. Un eje de tamaño 1 en `shape` también se estiró: súmalo y déjalo con tamaño 1.",
)
def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.sum(axis=0)
    return gradient


@known_wrong(
    "unbroadcast",
    id="size-one-axes-forgotten-array",
    hint=2,
    en="The missing axes are summed, well done. Now those where `shape` has size 1: they were stretched as well, and stay there with size 1.",
    es="Los ejes que faltan están sumados, bien. Ahora los que en `shape` tienen tamaño 1: también se estiraron, y se quedan con tamaño 1.",
)
def unbroadcast(gradient, shape):
    return np.asarray(gradient.sum(axis=tuple(range(gradient.ndim - len(shape)))))


@known_wrong(
    "unbroadcast",
    id="size-one-axes-forgotten-reshaped",
    hint=2,
    en="After your sum there are still too many numbers for `shape`: axes of size 1 in `shape` were stretched, and must be summed too.",
    es="Tras tu suma aún hay demasiados números para `shape`: los ejes de tamaño 1 en `shape` se estiraron, y también hay que sumarlos.",
)
def unbroadcast(gradient, shape):
    return np.asarray(gradient.sum(axis=tuple(range(gradient.ndim - len(shape))))).reshape(shape)


@known_wrong(
    "unbroadcast",
    id="keepdims-lost",
    hint=3,
    en="Right numbers, wrong shape: where `shape` has size 1 the axis must stay there. Sum those axes with keepdims=True, and (1, 3) stays (1, 3).",
    es="Números correctos, forma incorrecta: donde `shape` tiene tamaño 1 el eje debe quedarse. Suma esos ejes con keepdims=True, y (1, 3) sigue siendo (1, 3).",
)
def unbroadcast(gradient, shape):
    added = gradient.ndim - len(shape)
    axes = [*range(added), *(added + axis for axis, size in enumerate(shape) if size == 1)]
    return gradient.sum(axis=tuple(axes))


@known_wrong(
    "unbroadcast",
    id="keepdims-lost-array",
    hint=3,
    en="The numbers are right, an axis is gone: one of size 1 must stay. keepdims=True keeps it, or .reshape(shape) puts it back.",
    es="Los números son correctos, pero falta un eje: uno de tamaño 1 debe quedarse. keepdims=True lo conserva, o .reshape(shape) lo repone.",
)
def unbroadcast(gradient, shape):
    added = gradient.ndim - len(shape)
    axes = [*range(added), *(added + axis for axis, size in enumerate(shape) if size == 1)]
    return np.asarray(gradient.sum(axis=tuple(axes)))


@known_wrong(
    "unbroadcast",
    id="keepdims-lost-one-by-one",
    hint=3,
    en="Each sum without keepdims takes the axis away, and the axes behind it move to the left under your loop. Sum axes of size 1 with keepdims=True.",
    es="Cada suma sin keepdims quita el eje, y los de detrás se corren a la izquierda en medio de tu bucle. Suma los ejes de tamaño 1 con keepdims=True.",
)
def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.sum(axis=axis)
    return gradient


@known_wrong(
    "unbroadcast",
    id="missing-axes-kept",
    hint=3,
    en="keepdims=True kept all summed axes. Those that `shape` lacks must disappear: only axes of size 1 stay.",
    es="keepdims=True conservó todos los ejes sumados. Los que faltan en `shape` deben desaparecer: solo se quedan los de tamaño 1.",
)
def unbroadcast(gradient, shape):
    added = gradient.ndim - len(shape)
    axes = [*range(added), *(added + axis for axis, size in enumerate(shape) if size == 1)]
    return gradient.sum(axis=tuple(axes), keepdims=True)


@known_wrong(
    "unbroadcast",
    id="mean-for-sum",
    hint=1,
    en="You took the mean of the copies. Each copy acts on the result in full, so its whole part counts: the parts are added, and nothing is divided.",
    es="Tomaste la media de las copias. Cada copia actúa del todo sobre el resultado, así que cuenta su parte entera: las partes se suman y nada se divide.",
)
def unbroadcast(gradient, shape):
    added = gradient.ndim - len(shape)
    axes = [*range(added), *(added + axis for axis, size in enumerate(shape) if size == 1)]
    return np.asarray(gradient.mean(axis=tuple(axes))).reshape(shape)


@known_wrong(
    "unbroadcast",
    id="mean-for-sum-one-by-one",
    hint=1,
    en="Where you wrote mean, sum is right. Nudge one entry: all its copies move, each by the full nudge, and their effects add up.",
    es="Donde pusiste mean, lo correcto es sum. Da un empujoncito a una entrada: se mueven todas sus copias, cada una entera, y sus efectos se suman.",
)
def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.mean(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.mean(axis=axis, keepdims=True)
    return gradient


@known_wrong(
    "unbroadcast",
    id="first-copy-only",
    hint=1,
    en="You took what arrives at the first copy and left the others out. Where several paths lead to one entry, all of them are added.",
    es="Tomaste lo que llega a la primera copia y dejaste las demás. Donde varios caminos llevan a una entrada, se suman todos.",
)
def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient[0]
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.take([0], axis=axis)
    return gradient


@known_wrong(
    "unbroadcast",
    id="first-copy-only-by-index",
    hint=1,
    en="Index 0 picks the first copy alone. The other copies have a part in the gradient too: sum along the axis instead.",
    es="El índice 0 toma solo la primera copia. Las demás también tienen parte en el gradiente: suma a lo largo del eje.",
)
def unbroadcast(gradient, shape):
    added = gradient.ndim - len(shape)
    picked = tuple(slice(0, 1) if size == 1 else slice(None) for size in shape)
    return np.array(gradient[(0,) * added + picked])


@known_wrong(
    "unbroadcast",
    id="matched-from-the-left",
    hint=2,
    en="You lined the shapes up at the left and summed the last axes. NumPy lines them up at the right: axes that are missing were added in front.",
    es="Alineaste las formas por la izquierda y sumaste los últimos ejes. NumPy las alinea por la derecha: los ejes que faltan se añadieron delante.",
)
def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.sum(axis=-1)
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.sum(axis=axis, keepdims=True)
    return gradient


@known_wrong(
    "unbroadcast",
    id="compared-from-the-left",
    hint=2,
    en="You compared the sizes from the left. With a missing axis every axis is then beside the wrong one: line the shapes up at the right.",
    es="Comparaste los tamaños desde la izquierda. Si falta un eje, cada uno queda junto al que no es: alinea las formas por la derecha.",
)
def unbroadcast(gradient, shape):
    axes = []
    for axis, size in enumerate(gradient.shape):
        if axis >= len(shape) or shape[axis] != size:
            axes.append(axis)
    return np.asarray(gradient.sum(axis=tuple(axes))).reshape(shape)


@known_wrong(
    "unbroadcast",
    id="axes-not-shifted",
    hint=2,
    en="Axis i of `shape` is axis added + i of the gradient, because the missing axes stand in front. You summed at i, without the shift.",
    es="El eje i de `shape` es el eje added + i del gradiente, porque los ejes que faltan van delante. Sumaste en i, sin desplazar.",
)
def unbroadcast(gradient, shape):
    added = gradient.ndim - len(shape)
    axes = {*range(added), *(axis for axis, size in enumerate(shape) if size == 1)}
    return np.asarray(gradient.sum(axis=tuple(axes))).reshape(shape)


@known_wrong(
    "unbroadcast",
    id="axes-not-shifted-twice",
    hint=2,
    en="The same axis stands twice in your list: axis i of `shape` is axis added + i of the gradient, behind the missing ones.",
    es="El mismo eje está dos veces en tu lista: el eje i de `shape` es el eje added + i del gradiente, detrás de los que faltan.",
)
def unbroadcast(gradient, shape):
    added = gradient.ndim - len(shape)
    axes = [*range(added), *(axis for axis, size in enumerate(shape) if size == 1)]
    return np.asarray(gradient.sum(axis=tuple(axes))).reshape(shape)


@known_wrong(
    "unbroadcast",
    id="everything-summed",
    hint=1,
    en="You added the whole gradient up into one number. Only copies of the same entry belong together: each entry has a sum of its own.",
    es="Sumaste todo el gradiente en un solo número. Solo van juntas las copias de la misma entrada: cada entrada tiene su propia suma.",
)
def unbroadcast(gradient, shape):
    return np.full(shape, gradient.sum())


@known_wrong(
    "unbroadcast",
    id="one-number-returned",
    hint=1,
    en="gradient.sum() adds everything and leaves one number. Give it the axes along which `shape` was stretched: sum(axis=...).",
    es="gradient.sum() suma todo y deja un solo número. Dale los ejes por los que se estiró `shape`: sum(axis=...).",
)
def unbroadcast(gradient, shape):
    return gradient.sum()


@known_wrong(
    "unbroadcast",
    id="one-missing-axis-only",
    hint=2,
    en="You summed one missing axis. There may be several: gradient.ndim - len(shape) of them. An `if` looks once, a `while` until none is left.",
    es="Sumaste un solo eje que falta. Puede haber varios: gradient.ndim - len(shape). Un `if` mira una vez; un `while`, hasta que no quede ninguno.",
)
def unbroadcast(gradient, shape):
    if gradient.ndim > len(shape):
        gradient = gradient.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.sum(axis=axis, keepdims=True)
    return gradient


@known_wrong(
    "unbroadcast",
    id="one-size-one-axis-only",
    hint=2,
    en="You stopped after one axis of size 1. Every axis of size 1 in `shape` was stretched: go on to the last one.",
    es="Te detuviste tras un eje de tamaño 1. Todos los ejes de tamaño 1 en `shape` se estiraron: sigue hasta el último.",
)
def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            return gradient.sum(axis=axis, keepdims=True)
    return np.asarray(gradient)


@known_wrong(
    "unbroadcast",
    id="axes-move-up",
    hint=3,
    en="After sum(axis=0) the next missing axis is axis 0 again: the others moved up. Your loop counts on: 0, 1, ... Sum axis 0 each time, or all at once.",
    es="Tras sum(axis=0) el siguiente eje que falta vuelve a ser el 0: los demás avanzaron. Tu bucle sigue contando: 0, 1, ... Suma cada vez el eje 0, o todos a la vez.",
)
def unbroadcast(gradient, shape):
    for axis in range(gradient.ndim - len(shape)):
        gradient = gradient.sum(axis=axis)
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.sum(axis=axis, keepdims=True)
    return np.asarray(gradient)


@known_wrong(
    "unbroadcast",
    id="reshape-for-sum",
    hint=1,
    en="reshape only puts the same numbers in other rows. Here several numbers become one: they are added, with sum.",
    es="reshape solo ordena los mismos números en otras filas. Aquí varios números se vuelven uno: se suman, con sum.",
)
def unbroadcast(gradient, shape):
    return gradient.reshape(shape)


@known_wrong(
    "unbroadcast",
    id="cut-to-size",
    hint=1,
    en="You kept as many numbers as `shape` has room for and dropped the rest. No part may be lost: the copies of an entry are added.",
    es="Te quedaste con tantos números como caben en `shape` y tiraste el resto. No se puede perder ninguna parte: las copias de una entrada se suman.",
)
def unbroadcast(gradient, shape):
    return np.resize(gradient, shape)


@known_wrong(
    "unbroadcast",
    id="stretched-again",
    hint=1,
    en="broadcast_to stretches; that was the way forward. The way back goes from the large shape to the small one, by adding the copies up.",
    es="broadcast_to estira; ese era el camino de ida. El de vuelta va de la forma grande a la pequeña, sumando las copias.",
)
def unbroadcast(gradient, shape):
    return np.broadcast_to(gradient, shape)


@known_wrong(
    "unbroadcast",
    id="empty-axis-passed-by",
    hint=2,
    en="You sum an axis of size 1 only where the gradient has more than 1 there. It may also have 0: a sum of nothing is 0.0, and the axis has size 1 again.",
    es="Solo sumas un eje de tamaño 1 donde el gradiente tiene más de 1. También puede tener 0: una suma de nada es 0.0, y el eje vuelve a tener tamaño 1.",
)
def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1 and gradient.shape[axis] > 1:
            gradient = gradient.sum(axis=axis, keepdims=True)
    return np.asarray(gradient)


@known_wrong(
    "unbroadcast",
    id="numpy-number",
    hint=4,
    en="Every sum is right. But for shape () NumPy's sum gives a NumPy number, not an array: np.asarray(...) around the result makes one of it.",
    es="Todas las sumas son correctas. Pero para la forma () la suma de NumPy da un número de NumPy, no un array: np.asarray(...) lo convierte en uno.",
)
def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.sum(axis=axis, keepdims=True)
    return gradient


@known_wrong(
    "unbroadcast",
    id="returns-a-list",
    hint=4,
    en="The numbers are right, but you returned a list. Rules work with arrays: leave .tolist() out.",
    es="Los números son correctos, pero devolviste una lista. Las reglas trabajan con arrays: quita .tolist().",
)
def unbroadcast(gradient, shape):
    added = gradient.ndim - len(shape)
    axes = [*range(added), *(added + axis for axis, size in enumerate(shape) if size == 1)]
    return np.asarray(gradient.sum(axis=tuple(axes))).reshape(shape).tolist()


@known_wrong(
    "unbroadcast",
    id="always-axis-0",
    hint=2,
    en="You always sum over axis 0. For a bias that is right. Which axes are summed depends on `shape`: those that it lacks, and those where it has size 1.",
    es="Siempre sumas sobre el eje 0. Para un sesgo es correcto. Qué ejes se suman depende de `shape`: los que le faltan y aquellos donde tiene tamaño 1.",
)
def unbroadcast(gradient, shape):
    return gradient.sum(axis=0)


@known_wrong(
    "unbroadcast",
    id="equal-axes-passed-by",
    hint=2,
    en="With as many axes on both sides you return the gradient as it is. But an axis of size 1 may have been stretched: compare the shapes, not how many axes they have.",
    es="Si hay el mismo número de ejes devuelves el gradiente tal cual. Pero un eje de tamaño 1 puede haberse estirado: compara las formas, no cuántos ejes tienen.",
)
def unbroadcast(gradient, shape):
    if gradient.ndim == len(shape):
        return gradient
    added = gradient.ndim - len(shape)
    axes = [*range(added), *(added + axis for axis, size in enumerate(shape) if size == 1)]
    return np.asarray(gradient.sum(axis=tuple(axes))).reshape(shape)


@known_wrong(
    "unbroadcast",
    id="grouped-by-reshape",
    hint=2,
    en="reshape(-1, *shape) takes neighbours for copies. That holds for axes that are missing, but the copies along an axis of size 1 stand elsewhere: sum over that axis itself.",
    es="reshape(-1, *shape) toma a los vecinos por copias. Eso vale para los ejes que faltan, pero las copias de un eje de tamaño 1 están en otro lugar: suma sobre ese mismo eje.",
)
def unbroadcast(gradient, shape):
    return gradient.reshape(-1, *shape).sum(axis=0)


@known_wrong(
    "unbroadcast",
    id="added-in-place",
    hint=1,
    en="An array of the small shape cannot take in the large gradient with +=: NumPy stretches, it never sums by itself. Ask for the sum: gradient.sum(axis=...).",
    es="Un array de la forma pequeña no puede recibir con += el gradiente grande: NumPy estira, nunca suma por su cuenta. Pide la suma: gradient.sum(axis=...).",
)
def unbroadcast(gradient, shape):
    total = np.zeros(shape)
    total += gradient
    return total
