"""Known-wrong versions of `compared`: == and hash are about the node, equal is about the values."""

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "compared",
    id="eq-entry-by-entry",
    hint=1,
    en="== compares number by number and gives an array, and a set wants one yes or no. == asks for the same node; equal compares numbers.",
    es="== compara número a número y da un array, y un set quiere un solo sí o no. == pregunta por el mismo nodo; equal compara números.",
)
class Compared:
    def __eq__(self, other):
        return self.data == other.data

    def __hash__(self):
        return id(self)

    def equal(self, other):
        return np.array_equal(self.data, other.data)


@known_wrong(
    "compared",
    id="eq-by-values",
    hint=1,
    en="== is True for two nodes that hold the same numbers. Then a set cannot tell two weights apart that start alike: == must ask for the same node.",
    es="== es True para dos nodos con los mismos números. Así un set confunde dos pesos que empiezan iguales: == debe preguntar por el mismo nodo.",
)
class Compared:
    def __eq__(self, other):
        return np.array_equal(self.data, other.data)

    def __hash__(self):
        return id(self)

    def equal(self, other):
        return np.array_equal(self.data, other.data)


@known_wrong(
    "compared",
    id="eq-by-values-guarded",
    hint=1,
    en="You made sure that other is a Tensor, but == still compares numbers: two weights that start alike are one to a set. Ask for the same node.",
    es="Te aseguraste de que other es un Tensor, pero == sigue comparando números: dos pesos que empiezan iguales son uno para un set. Pregunta por el mismo nodo.",
)
class Compared:
    def __eq__(self, other):
        return isinstance(other, Tensor) and np.array_equal(self.data, other.data)

    def __hash__(self):
        return id(self)

    def equal(self, other):
        return np.array_equal(self.data, other.data)


@known_wrong(
    "compared",
    id="eq-and-hash-by-values",
    hint=1,
    en="Both == and the hash go by the numbers: two nodes that start alike are one to a set, and a node is lost when its data change. Go by the node.",
    es="Tanto == como el hash van por los números: dos nodos que empiezan iguales son uno para un set, y un nodo se pierde si cambian sus datos. Ve por el nodo.",
)
class Compared:
    def __eq__(self, other):
        return isinstance(other, Tensor) and np.array_equal(self.data, other.data)

    def __hash__(self):
        return hash(self.data.tobytes())

    def equal(self, other):
        return np.array_equal(self.data, other.data)


@known_wrong(
    "compared",
    id="eq-without-hash",
    hint=2,
    en="A class that defines == loses the hash it had, and its objects fit into no set any more. Define __hash__, too: id(self) will do.",
    es="Una clase que define == pierde el hash que tenía, y sus objetos ya no caben en un set. Define también __hash__: basta id(self).",
)
class Compared:
    def __eq__(self, other):
        return self is other

    def equal(self, other):
        return np.array_equal(self.data, other.data)


@known_wrong(
    "compared",
    id="hash-of-the-array",
    hint=2,
    en="An array has no hash, because its numbers may change. The hash belongs to the node: id(self).",
    es="Un array no tiene hash, porque sus números pueden cambiar. El hash es del nodo: id(self).",
)
class Compared:
    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return hash(self.data)

    def equal(self, other):
        return np.array_equal(self.data, other.data)


@known_wrong(
    "compared",
    id="hash-by-values",
    hint=2,
    en="The hash is made of the numbers. When training changes them, a set looks in the wrong place and the node is lost. id(self) stays.",
    es="El hash se hace con los números. Cuando el entrenamiento los cambia, el set busca en mal sitio y el nodo se pierde. id(self) no cambia.",
)
class Compared:
    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return hash(self.data.tobytes())

    def equal(self, other):
        return np.array_equal(self.data, other.data)


@known_wrong(
    "compared",
    id="hash-by-the-array-object",
    hint=2,
    en="The hash goes by the array object. A step that puts a new array into data loses the node: take id(self), the node's own.",
    es="El hash va por el objeto array. Un paso que pone otro array en data pierde el nodo: usa id(self), el del nodo.",
)
class Compared:
    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return id(self.data)

    def equal(self, other):
        return np.array_equal(self.data, other.data)


@known_wrong(
    "compared",
    id="eq-by-the-array-object",
    hint=2,
    en="You ask whether the two share one array. A detached Tensor does, and is another node all the same: self is other.",
    es="Preguntas si los dos comparten un array. Un Tensor separado (detach) lo hace y aun así es otro nodo: self is other.",
)
class Compared:
    def __eq__(self, other):
        return isinstance(other, Tensor) and self.data is other.data

    def __hash__(self):
        return id(self)

    def equal(self, other):
        return np.array_equal(self.data, other.data)


@known_wrong(
    "compared",
    id="equal-is-an-array",
    hint=3,
    en="equal gives an array, one answer for each number. Asked for is one answer for all of them: np.array_equal.",
    es="equal da un array, una respuesta por número. Se pide una sola respuesta para todos: np.array_equal.",
)
class Compared:
    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return id(self)

    def equal(self, other):
        return self.data == other.data


@known_wrong(
    "compared",
    id="equal-stretches",
    hint=3,
    en="NumPy stretches one of two shapes before it compares, so [1, 1] and 1 seemed equal, and shapes that cannot be stretched raised an error. Compare the shapes first.",
    es="NumPy estira una de las formas antes de comparar: [1, 1] y 1 parecían iguales, y con formas que no se estiran hubo un error. Compara primero las formas.",
)
class Compared:
    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return id(self)

    def equal(self, other):
        return bool((self.data == other.data).all())


@known_wrong(
    "compared",
    id="equal-is-identity",
    hint=3,
    en="equal asks for the same node, as == does. equal is for the numbers: same shape, same entries.",
    es="equal pregunta por el mismo nodo, como ==. equal es para los números: misma forma, mismas entradas.",
)
class Compared:
    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return id(self)

    def equal(self, other):
        return self is other


@known_wrong(
    "compared",
    id="equal-is-close",
    hint=3,
    en="np.allclose forgives small differences, and it stretches shapes. equal means exactly the same numbers: np.array_equal.",
    es="np.allclose perdona diferencias pequeñas, y además estira formas. equal significa exactamente los mismos números: np.array_equal.",
)
class Compared:
    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return id(self)

    def equal(self, other):
        return np.allclose(self.data, other.data)


@known_wrong(
    "compared",
    id="equal-is-close-same-shape",
    hint=3,
    en="np.allclose forgives small differences. equal means exactly the same numbers: np.array_equal.",
    es="np.allclose perdona diferencias pequeñas. equal significa exactamente los mismos números: np.array_equal.",
)
class Compared:
    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return id(self)

    def equal(self, other):
        return self.data.shape == other.data.shape and bool(np.allclose(self.data, other.data))


@known_wrong(
    "compared",
    id="equal-any",
    hint=3,
    en="One number that agrees is enough for your equal. All of them must agree, and the shapes as well.",
    es="A tu equal le basta un número que coincida. Deben coincidir todos, y también las formas.",
)
class Compared:
    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return id(self)

    def equal(self, other):
        return self.data.shape == other.data.shape and bool((self.data == other.data).any())


@known_wrong(
    "compared",
    id="equal-by-sum",
    hint=3,
    en="You compared one number made out of many. [1, -1] and [-1, 1] have the same sum and are not equal: compare entry by entry.",
    es="Comparaste un número hecho de muchos. [1, -1] y [-1, 1] suman lo mismo y no son iguales: compara entrada por entrada.",
)
class Compared:
    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return id(self)

    def equal(self, other):
        return self.data.shape == other.data.shape and bool(self.data.sum() == other.data.sum())


@known_wrong(
    "compared",
    id="eq-by-all-values",
    hint=1,
    en="== compares all numbers, and fails where other is no Tensor or has another shape. It should not look at numbers at all: self is other.",
    es="== compara todos los números, y falla si other no es un Tensor o tiene otra forma. No debe mirar los números: self is other.",
)
class Compared:
    def __eq__(self, other):
        return bool((self.data == other.data).all())

    def __hash__(self):
        return id(self)

    def equal(self, other):
        return np.array_equal(self.data, other.data)


@known_wrong(
    "compared",
    id="eq-by-the-array-object-of-anything",
    hint=2,
    en="You ask whether the two share one array, and other may have none: x == 3.0. Ask whether it is the same node: self is other.",
    es="Preguntas si los dos comparten un array, y other puede no tener ninguno: x == 3.0. Pregunta si es el mismo nodo: self is other.",
)
class Compared:
    def __eq__(self, other):
        return self.data is other.data

    def __hash__(self):
        return id(self)

    def equal(self, other):
        return np.array_equal(self.data, other.data)
