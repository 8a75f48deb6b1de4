"""Known-wrong versions of `init_weights`: each stands for one way to get it wrong."""

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "init_weights",
    id="all-equal-init",
    hint=1,
    en="You drew one number and used it for all weights. Each weight is drawn by itself: call rng.uniform once for each.",
    es="Sacaste un número y lo usaste para todos los pesos. Cada peso se saca por separado: llama a rng.uniform una vez por cada uno.",
)
def init_weights(n_inputs, rng):
    bound = math.sqrt(3 / n_inputs)
    return [rng.uniform(-bound, bound)] * n_inputs


@known_wrong(
    "init_weights",
    id="all-zero-init",
    hint=1,
    en="All your weights are the same number, in every call. Then the neurons of a layer are twins: same output, same gradient, for ever. Draw by chance.",
    es="Todos tus pesos son el mismo número, en cada llamada. Así las neuronas de una capa son gemelas: misma salida, mismo gradiente, para siempre. Usa el azar.",
)
def init_weights(n_inputs, rng):
    return [0.0] * n_inputs


@known_wrong(
    "init_weights",
    id="same-for-every-neuron",
    hint=2,
    en="Every call gives the same weights, so all neurons of a layer are copies. Draw from the rng that you are given: it goes on from call to call.",
    es="Cada llamada da los mismos pesos, así que todas las neuronas de una capa son copias. Usa el rng que recibes: avanza de llamada en llamada.",
)
def init_weights(n_inputs, rng):
    rng = random.Random(0)
    bound = math.sqrt(3 / n_inputs)
    return [rng.uniform(-bound, bound) for _ in range(n_inputs)]


@known_wrong(
    "init_weights",
    id="another-generator",
    hint=2,
    en="You drew from another generator than the rng that you are given. Then the same seed gives another network in every run.",
    es="Sacaste los números de otro generador, no del rng que recibes. Así la misma semilla da otra red en cada ejecución.",
)
def init_weights(n_inputs, rng):
    bound = math.sqrt(3 / n_inputs)
    return [random.uniform(-bound, bound) for _ in range(n_inputs)]


@known_wrong(
    "init_weights",
    id="never-negative",
    hint=3,
    en="Your weights are all positive. They go from -bound to bound: an input must be able to lower the score, too.",
    es="Tus pesos son todos positivos. Van de -bound a bound: una entrada también debe poder bajar la puntuación.",
)
def init_weights(n_inputs, rng):
    bound = math.sqrt(3 / n_inputs)
    return [rng.uniform(0.0, bound) for _ in range(n_inputs)]


@known_wrong(
    "init_weights",
    id="not-scaled",
    hint=3,
    en="Your bound is 1 for every neuron. The more inputs, the smaller each weight must be, or the sum grows: sqrt(3 / n_inputs).",
    es="Tu límite es 1 para cada neurona. Cuantas más entradas, menor debe ser cada peso, o la suma crece: sqrt(3 / n_inputs).",
)
def init_weights(n_inputs, rng):
    return [rng.uniform(-1.0, 1.0) for _ in range(n_inputs)]


@known_wrong(
    "init_weights",
    id="root-forgotten",
    hint=3,
    en="You left out the square root: the bound is 3 / n_inputs. A sum of n draws grows like the root of n, not like n.",
    es="Olvidaste la raíz cuadrada: el límite es 3 / n_inputs. Una suma de n sorteos crece como la raíz de n, no como n.",
)
def init_weights(n_inputs, rng):
    bound = 3 / n_inputs
    return [rng.uniform(-bound, bound) for _ in range(n_inputs)]


@known_wrong(
    "init_weights",
    id="grows-with-the-inputs",
    hint=3,
    en="Your bound grows with the number of inputs. It is turned upside down: sqrt(3 / n_inputs), not sqrt(n_inputs / 3).",
    es="Tu límite crece con el número de entradas. Está al revés: sqrt(3 / n_inputs), no sqrt(n_inputs / 3).",
)
def init_weights(n_inputs, rng):
    bound = math.sqrt(n_inputs / 3)
    return [rng.uniform(-bound, bound) for _ in range(n_inputs)]


@known_wrong(
    "init_weights",
    id="three-forgotten",
    hint=3,
    en="Your bound is sqrt(1 / n_inputs). Evenly drawn numbers are on average closer to 0 than the bound; the 3 makes up for that.",
    es="Tu límite es sqrt(1 / n_inputs). Los números repartidos por igual quedan en promedio más cerca de 0 que el límite; el 3 lo compensa.",
)
def init_weights(n_inputs, rng):
    bound = 1 / math.sqrt(n_inputs)
    return [rng.uniform(-bound, bound) for _ in range(n_inputs)]


@known_wrong(
    "init_weights",
    id="bell-curve",
    hint=3,
    en="You drew from the bell curve, whose numbers lie around 0 and have no bound. Draw evenly: rng.uniform.",
    es="Sacaste los números de la campana de Gauss, que los agrupa en torno a 0 y no tiene límite. Repártelos por igual: rng.uniform.",
)
def init_weights(n_inputs, rng):
    return [rng.gauss(0.0, math.sqrt(3 / n_inputs)) for _ in range(n_inputs)]


@known_wrong(
    "init_weights",
    id="bell-curve-of-the-same-spread",
    hint=3,
    en="The spread is right, but you drew from the bell curve, which has no bound. Asked for is an even draw: rng.uniform.",
    es="La dispersión es correcta, pero usaste la campana de Gauss, que no tiene límite. Se pide un reparto por igual: rng.uniform.",
)
def init_weights(n_inputs, rng):
    return [rng.gauss(0.0, math.sqrt(1 / n_inputs)) for _ in range(n_inputs)]


@known_wrong(
    "init_weights",
    id="one-number",
    hint=3,
    en="You returned one number. A neuron has one weight for each input: a list of n_inputs numbers.",
    es="Devolviste un solo número. Una neurona tiene un peso por cada entrada: una lista de n_inputs números.",
)
def init_weights(n_inputs, rng):
    bound = math.sqrt(3 / n_inputs)
    return rng.uniform(-bound, bound)


@known_wrong(
    "init_weights",
    id="bias-among-the-weights",
    hint=3,
    en="Your list has one number too many. The bias is not one of the weights: the network keeps it apart and starts it at 0.",
    es="Tu lista tiene un número de más. El sesgo no es uno de los pesos: la red lo guarda aparte y lo empieza en 0.",
)
def init_weights(n_inputs, rng):
    bound = math.sqrt(3 / n_inputs)
    return [rng.uniform(-bound, bound) for _ in range(n_inputs + 1)]


@known_wrong(
    "init_weights",
    id="whole-numbers",
    hint=2,
    en="You drew whole numbers, and there are too few of those: many weights come out equal. rng.uniform draws any number in between.",
    es="Sacaste números enteros, y hay muy pocos: muchos pesos salen iguales. rng.uniform da cualquier número intermedio.",
)
def init_weights(n_inputs, rng):
    return [rng.randint(-1, 1) for _ in range(n_inputs)]


@known_wrong(
    "init_weights",
    id="between-zero-and-one",
    hint=2,
    en="You used rng.random(), which draws between 0 and 1. The weights go from -bound to bound, and bound depends on n_inputs: rng.uniform.",
    es="Usaste rng.random(), que saca números entre 0 y 1. Los pesos van de -bound a bound, y bound depende de n_inputs: rng.uniform.",
)
def init_weights(n_inputs, rng):
    return [rng.random() for _ in range(n_inputs)]


@known_wrong(
    "init_weights",
    id="root-of-three-alone",
    hint=3,
    en="Your bound is sqrt(3) / n_inputs. The number of inputs stands under the root, too: sqrt(3 / n_inputs).",
    es="Tu límite es sqrt(3) / n_inputs. El número de entradas también va dentro de la raíz: sqrt(3 / n_inputs).",
)
def init_weights(n_inputs, rng):
    bound = math.sqrt(3) / n_inputs
    return [rng.uniform(-bound, bound) for _ in range(n_inputs)]


@known_wrong(
    "init_weights",
    id="half-the-bound",
    hint=3,
    en="rng.random() - 0.5 goes from -0.5 to 0.5, so your weights reach half of the bound only. They go from -bound to bound: rng.uniform.",
    es="rng.random() - 0.5 va de -0.5 a 0.5, así que tus pesos solo llegan a la mitad del límite. Van de -bound a bound: rng.uniform.",
)
def init_weights(n_inputs, rng):
    bound = math.sqrt(3 / n_inputs)
    return [(rng.random() - 0.5) * bound for _ in range(n_inputs)]
