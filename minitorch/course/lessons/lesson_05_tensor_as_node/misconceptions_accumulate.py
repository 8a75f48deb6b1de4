"""Known-wrong versions of `Tensor.accumulate`."""

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "accumulate",
    id="last-one-stays",
    hint=2,
    en="A second gradient replaced the first. A node that is used twice gets two contributions, and both count: set the first, add the rest.",
    es="Un segundo gradiente sustituyó al primero. Un nodo que se usa dos veces recibe dos contribuciones, y cuentan las dos: asigna la primera, suma las demás.",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    if np.shape(gradient) != self.data.shape:
        raise ValueError("another shape")
    self.grad = np.array(gradient, dtype=self.data.dtype)


@known_wrong(
    "accumulate",
    id="first-one-stays",
    hint=2,
    en="Only the first gradient counts for you; later ones are lost. Once grad is an array, add to it.",
    es="Para ti solo cuenta el primer gradiente; los siguientes se pierden. Cuando grad ya es un array, súmale.",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    if np.shape(gradient) != self.data.shape:
        raise ValueError("another shape")
    if self.grad is None:
        self.grad = np.array(gradient, dtype=self.data.dtype)


@known_wrong(
    "accumulate",
    id="adds-to-no-array",
    hint=2,
    en="You added to a grad that is still None. The first gradient is set, only later ones are added.",
    es="Sumaste a un grad que todavía es None. El primer gradiente se asigna; solo los siguientes se suman.",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    if np.shape(gradient) != self.data.shape:
        raise ValueError("another shape")
    self.grad = self.grad + gradient


@known_wrong(
    "accumulate",
    id="adds-to-no-array-in-place",
    hint=2,
    en="Your += met a grad that is still None, and no shape was compared. The first gradient is set, only later ones are added.",
    es="Tu += encontró un grad que todavía es None, y no se comparó ninguna forma. El primer gradiente se asigna; solo los siguientes se suman.",
)
def accumulate(self, gradient):
    if self.requires_grad:
        self.grad += gradient


@known_wrong(
    "accumulate",
    id="constants-take-one",
    hint=1,
    en="A constant took a gradient. Nobody wants it, and it costs memory for every input of a network: without requires_grad, return at once.",
    es="Una constante recibió un gradiente. Nadie lo quiere y cuesta memoria por cada dato de entrada: sin requires_grad, vuelve enseguida.",
)
def accumulate(self, gradient):
    if np.shape(gradient) != self.data.shape:
        raise ValueError("another shape")
    total = gradient if self.grad is None else self.grad + gradient
    self.grad = np.array(total, dtype=self.data.dtype)


@known_wrong(
    "accumulate",
    id="plain-sum",
    hint=3,
    en="The adding is right. But the first gradient is kept itself, not copied, a sum of two 0-d arrays is a number, the dtype may change, and any shape is taken. np.array(...) mends three of the four.",
    es="La suma está bien. Pero guardas el primer gradiente mismo, sin copia; la suma de dos arrays 0-d es un número; el dtype puede cambiar y se acepta cualquier forma. np.array(...) arregla tres de las cuatro.",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    if self.grad is None:
        self.grad = gradient
    else:
        self.grad = self.grad + gradient


@known_wrong(
    "accumulate",
    id="plain-sum-in-place",
    hint=3,
    en="Your grad is the very array that was handed in, so += changes somebody else's numbers. Keep a copy of your own. And any shape is taken: compare first.",
    es="Tu grad es el mismo array que te dieron, así que += cambia números de otro. Guarda una copia propia. Además se acepta cualquier forma: compara antes.",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    if self.grad is None:
        self.grad = gradient
    else:
        self.grad += gradient


@known_wrong(
    "accumulate",
    id="keeps-the-given-array",
    hint=3,
    en="The first gradient is kept itself, not copied. a + b hands the same array to a and to b: each needs its own. np.array copies.",
    es="Guardas el primer gradiente mismo, sin copia. a + b entrega el mismo array a a y a b: cada uno necesita el suyo. np.array copia.",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    if np.shape(gradient) != self.data.shape:
        raise ValueError("another shape")
    total = gradient if self.grad is None else self.grad + gradient
    self.grad = np.asarray(total, dtype=self.data.dtype)


@known_wrong(
    "accumulate",
    id="keeps-the-given-array-in-place",
    hint=3,
    en="You kept the array that was handed in, and added to it with +=: somebody else's numbers changed. The first gradient must be copied.",
    es="Guardaste el array que te dieron y le sumaste con +=: cambiaron números de otro. El primer gradiente se copia.",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    if np.shape(gradient) != self.data.shape:
        raise ValueError("another shape")
    if self.grad is None:
        self.grad = np.asarray(gradient, dtype=self.data.dtype)
    else:
        self.grad += gradient


@known_wrong(
    "accumulate",
    id="keeps-the-given-array-but-checks",
    hint=3,
    en="You compare the shapes; good. But the first gradient is kept itself, a sum of 0-d arrays is a number, and the dtype may change. np.array(..., dtype=...) mends all three.",
    es="Comparas las formas; bien. Pero guardas el primer gradiente mismo, la suma de arrays 0-d es un número y el dtype puede cambiar. np.array(..., dtype=...) arregla las tres cosas.",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    if np.shape(gradient) != self.data.shape:
        raise ValueError("another shape")
    if self.grad is None:
        self.grad = gradient
    else:
        self.grad = self.grad + gradient


@known_wrong(
    "accumulate",
    id="sum-is-a-number",
    hint=3,
    en="The sum of two arrays of shape () is a NumPy number, not an array. grad is an array always: put np.array around the sum.",
    es="La suma de dos arrays de forma () es un número de NumPy, no un array. grad es siempre un array: rodea la suma con np.array.",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    if np.shape(gradient) != self.data.shape:
        raise ValueError("another shape")
    if self.grad is None:
        self.grad = np.array(gradient, dtype=self.data.dtype)
    else:
        self.grad = (self.grad + gradient).astype(self.data.dtype)


@known_wrong(
    "accumulate",
    id="sum-is-a-number-of-another-dtype",
    hint=3,
    en="The first gradient is right. The sum is not looked after: of two 0-d arrays it is a number, and float32 plus float64 is float64. np.array(sum, dtype=...) mends both.",
    es="El primer gradiente está bien. La suma no: de dos arrays 0-d sale un número, y float32 más float64 es float64. np.array(suma, dtype=...) arregla las dos cosas.",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    if np.shape(gradient) != self.data.shape:
        raise ValueError("another shape")
    if self.grad is None:
        self.grad = np.array(gradient, dtype=self.data.dtype)
    else:
        self.grad = self.grad + gradient


@known_wrong(
    "accumulate",
    id="one-number",
    hint=3,
    en="grad became one number for the whole array. Every entry of data has a slope of its own: grad has data's shape.",
    es="grad se volvió un solo número para todo el array. Cada entrada de data tiene su propia pendiente: grad tiene la forma de data.",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    if np.shape(gradient) != self.data.shape:
        raise ValueError("another shape")
    total = float(np.sum(gradient))
    self.grad = total if self.grad is None else self.grad + total


@known_wrong(
    "accumulate",
    id="dtype-of-the-gradient",
    hint=3,
    en="A float64 gradient made grad float64, and a whole-number gradient made it whole. grad has data's dtype: np.array(..., dtype=self.data.dtype).",
    es="Un gradiente float64 volvió float64 a grad, y uno de enteros lo volvió entero. grad tiene el dtype de data: np.array(..., dtype=self.data.dtype).",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    if np.shape(gradient) != self.data.shape:
        raise ValueError("another shape")
    self.grad = np.array(gradient if self.grad is None else self.grad + gradient)


@known_wrong(
    "accumulate",
    id="any-shape",
    hint=4,
    en="A gradient of another shape was taken. Then a step would change data in the wrong places, or stretch it: compare the shapes and raise ValueError.",
    es="Se aceptó un gradiente de otra forma. Un paso cambiaría data en sitios equivocados, o lo estiraría: compara las formas y lanza ValueError.",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    total = gradient if self.grad is None else self.grad + gradient
    self.grad = np.array(total, dtype=self.data.dtype)


@known_wrong(
    "accumulate",
    id="any-shape-any-dtype",
    hint=4,
    en="You keep a copy; good. But any shape and any dtype is taken: compare np.shape(gradient) with self.data.shape first, and give np.array the dtype of data.",
    es="Guardas una copia; bien. Pero aceptas cualquier forma y cualquier dtype: compara antes np.shape(gradient) con self.data.shape, y dale a np.array el dtype de data.",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    self.grad = np.array(gradient if self.grad is None else self.grad + gradient)


@known_wrong(
    "accumulate",
    id="any-shape-any-sum",
    hint=4,
    en="You copy the first gradient; good. But any shape is taken, and the sum may be a number or of another dtype: compare the shapes, and put np.array around the sum, too.",
    es="Copias el primer gradiente; bien. Pero se acepta cualquier forma, y la suma puede ser un número o tener otro dtype: compara las formas y rodea también la suma con np.array.",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    if self.grad is None:
        self.grad = np.array(gradient, dtype=self.data.dtype)
    else:
        self.grad = self.grad + gradient


@known_wrong(
    "accumulate",
    id="any-shape-copy-only",
    hint=4,
    en="You copy the first gradient; good. But shape and dtype are not looked after: a gradient of another shape must be refused, and grad has data's dtype.",
    es="Copias el primer gradiente; bien. Pero no cuidas forma ni dtype: un gradiente de otra forma se rechaza, y grad tiene el dtype de data.",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    if self.grad is None:
        self.grad = np.array(gradient)
    else:
        self.grad = self.grad + gradient


@known_wrong(
    "accumulate",
    id="starts-from-zeros",
    hint=4,
    en="Starting from zeros works, but NumPy stretches a gradient of another shape as it adds it. Compare the shapes first, and raise ValueError.",
    es="Empezar desde ceros funciona, pero NumPy estira un gradiente de otra forma al sumarlo. Compara antes las formas y lanza ValueError.",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    if self.grad is None:
        self.grad = np.zeros_like(self.data)
    self.grad += gradient


@known_wrong(
    "accumulate",
    id="shape-by-size",
    hint=4,
    en="You compared how many numbers there are, not the shape: six numbers as (3, 2) do not fit data of shape (2, 3).",
    es="Comparaste cuántos números hay, no la forma: seis números como (3, 2) no encajan en datos de forma (2, 3).",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    if np.size(gradient) != self.data.size:
        raise ValueError("another size")
    total = gradient if self.grad is None else self.grad + gradient
    self.grad = np.array(total, dtype=self.data.dtype)


@known_wrong(
    "accumulate",
    id="reshaped",
    hint=4,
    en="You forced the gradient into data's shape. The numbers then stand in the wrong places: what has another shape is somebody's mistake, and must be refused.",
    es="Forzaste el gradiente a la forma de data. Entonces los números quedan en sitios equivocados: lo que tiene otra forma es un error de alguien y se rechaza.",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    gradient = np.array(gradient, dtype=self.data.dtype).reshape(self.data.shape)
    self.grad = gradient if self.grad is None else np.array(self.grad + gradient)


@known_wrong(
    "accumulate",
    id="stretched",
    hint=4,
    en="You stretched the gradient to data's shape. That gives every copy the whole of it: what has another shape must be refused.",
    es="Estiraste el gradiente hasta la forma de data. Así cada copia recibe el total: lo que tiene otra forma se rechaza.",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    gradient = np.array(np.broadcast_to(gradient, self.data.shape), dtype=self.data.dtype)
    self.grad = gradient if self.grad is None else np.array(self.grad + gradient)


@known_wrong(
    "accumulate",
    id="adds-into-the-gradient",
    hint=3,
    en="You wrote the sum into the array that was handed in. It belongs to somebody else: make a new one.",
    es="Escribiste la suma en el array que te dieron. Es de otro: crea uno nuevo.",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    if np.shape(gradient) != self.data.shape:
        raise ValueError("another shape")
    if self.grad is not None:
        gradient += self.grad
    self.grad = np.array(gradient, dtype=self.data.dtype)


@known_wrong(
    "accumulate",
    id="changes-data",
    hint=1,
    en="You added the gradient to data. A gradient only says how data should be changed: it belongs into grad.",
    es="Sumaste el gradiente a data. Un gradiente solo dice cómo convendría cambiar data: va en grad.",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    if np.shape(gradient) != self.data.shape:
        raise ValueError("another shape")
    self.data = self.data + gradient
    self.grad = np.array(gradient, dtype=self.data.dtype)


@known_wrong(
    "accumulate",
    id="returned-not-kept",
    hint=2,
    en="The sum is returned, but nobody keeps it: grad is still None. Put it into self.grad.",
    es="La suma se devuelve, pero nadie la guarda: grad sigue en None. Ponla en self.grad.",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return None
    if np.shape(gradient) != self.data.shape:
        raise ValueError("another shape")
    return np.array(gradient if self.grad is None else self.grad + gradient, dtype=self.data.dtype)


@known_wrong(
    "accumulate",
    id="plain-sum-for-everybody",
    hint=1,
    en="The adding is there. Now the four promises: a constant takes none, another shape is refused, the first gradient is copied, and grad is an array of data's dtype.",
    es="La suma está. Faltan las cuatro promesas: una constante no recibe nada, otra forma se rechaza, el primer gradiente se copia y grad es un array con el dtype de data.",
)
def accumulate(self, gradient):
    if self.grad is None:
        self.grad = gradient
    else:
        self.grad = self.grad + gradient


@known_wrong(
    "accumulate",
    id="in-place-for-everybody",
    hint=1,
    en="The adding is there, but it writes into the caller's array, because the first gradient was not copied. And constants take one, and any shape is taken.",
    es="La suma está, pero escribe en el array de quien llama, porque el primer gradiente no se copió. Además las constantes reciben uno y se acepta cualquier forma.",
)
def accumulate(self, gradient):
    if self.grad is None:
        self.grad = gradient
    else:
        self.grad += gradient


@known_wrong(
    "accumulate",
    id="keeps-the-last-array",
    hint=2,
    en="You keep the last gradient itself: earlier ones are lost, and the array belongs to somebody else. Add, and make an array of your own.",
    es="Guardas el propio último gradiente: los anteriores se pierden y el array es de otro. Suma, y crea un array propio.",
)
def accumulate(self, gradient):
    if self.requires_grad:
        self.grad = gradient


@known_wrong(
    "accumulate",
    id="copy-then-in-place",
    hint=4,
    en="Copied, then added in place: good. But copy() keeps shape and dtype of the gradient, and a number stays a number. Compare the shapes, and use np.array(..., dtype=self.data.dtype).",
    es="Copiado y luego sumado: bien. Pero copy() conserva la forma y el dtype del gradiente, y un número sigue siendo número. Compara las formas y usa np.array(..., dtype=self.data.dtype).",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    if self.grad is None:
        self.grad = gradient.copy()
    else:
        self.grad += gradient


@known_wrong(
    "accumulate",
    id="truth-of-an-array",
    hint=2,
    en="`not self.grad` asks an array whether it is true, and an array of several numbers has no answer. Ask for None: self.grad is None.",
    es="`not self.grad` le pregunta a un array si es verdadero, y un array de varios números no tiene respuesta. Pregunta por None: self.grad is None.",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    if np.shape(gradient) != self.data.shape:
        raise ValueError("another shape")
    total = gradient if not self.grad else self.grad + gradient
    self.grad = np.array(total, dtype=self.data.dtype)


@known_wrong(
    "accumulate",
    id="shape-of-a-number",
    hint=4,
    en="gradient may be a plain number, and that has no .shape. np.shape(gradient) answers for numbers, lists and arrays alike.",
    es="gradient puede ser un número simple, y ese no tiene .shape. np.shape(gradient) responde igual con números, listas y arrays.",
)
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    if gradient.shape != self.data.shape:
        raise ValueError("another shape")
    total = gradient if self.grad is None else self.grad + gradient
    self.grad = np.array(total, dtype=self.data.dtype)
