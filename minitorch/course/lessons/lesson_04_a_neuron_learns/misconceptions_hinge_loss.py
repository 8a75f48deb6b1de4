"""Known-wrong versions of `hinge_loss`: each stands for one way to get it wrong."""

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "hinge_loss",
    id="margin-forgotten",
    hint=1,
    en="You left out the margin of 1. A score of 0.01 on the right side would cost nothing; it costs 0.99, until label * score is 1.",
    es="Olvidaste el margen de 1. Una puntuación de 0.01 en el lado correcto no costaría nada; cuesta 0.99, hasta que label * score es 1.",
)
def hinge_loss(scores, labels):
    total = sum(relu(-score * label) for score, label in zip(scores, labels))
    return total * (1 / len(scores))


@known_wrong(
    "hinge_loss",
    id="hinge-sign-turned",
    hint=1,
    en="You added label * score where it is subtracted: points on the right side cost most. A point costs 1 - label * score.",
    es="Sumaste label * score donde se resta: los puntos en el lado correcto son los que más cuestan. Un punto cuesta 1 - label * score.",
)
def hinge_loss(scores, labels):
    total = sum(relu(1 + score * label) for score, label in zip(scores, labels))
    return total * (1 / len(scores))


@known_wrong(
    "hinge_loss",
    id="hinge-mean-forgotten",
    hint=4,
    en="You returned the sum. The mean divides it by the number of points, or a larger batch would mean a larger step.",
    es="Devolviste la suma. La media la divide entre el número de puntos; si no, un lote mayor daría un paso mayor.",
)
def hinge_loss(scores, labels):
    return sum(relu(1 - score * label) for score, label in zip(scores, labels))


@known_wrong(
    "hinge_loss",
    id="mean-over-the-costly",
    hint=4,
    en="You divided by the number of points that cost something. The mean is over all points: those that cost 0 count too.",
    es="Dividiste entre el número de puntos que cuestan algo. La media es sobre todos los puntos: los que cuestan 0 también cuentan.",
)
def hinge_loss(scores, labels):
    terms = [relu(1 - score * label) for score, label in zip(scores, labels)]
    costly = [term for term in terms if term.data > 0]
    return sum(terms) * (1 / max(len(costly), 1))


@known_wrong(
    "hinge_loss",
    id="mean-over-the-costly-divides-by-none",
    hint=4,
    en="You divided by the number of points that cost something, and there may be none: 1 / 0. The mean is over all points.",
    es="Dividiste entre el número de puntos que cuestan algo, y puede no haber ninguno: 1 / 0. La media es sobre todos los puntos.",
)
def hinge_loss(scores, labels):
    terms = [relu(1 - score * label) for score, label in zip(scores, labels)]
    costly = [term for term in terms if term.data > 0]
    return sum(terms) * (1 / len(costly))


@known_wrong(
    "hinge_loss",
    id="label-ignored",
    hint=1,
    en="You treated every point as if its label were 1 (`if label` is true for -1 as well). With label -1 a negative score is right: use label * score.",
    es="Trataste cada punto como si su etiqueta fuera 1 (`if label` también es verdadero con -1). Con etiqueta -1 acierta una puntuación negativa: usa label * score.",
)
def hinge_loss(scores, labels):
    total = sum(relu(1 - score) for score in scores)
    return total * (1 / len(scores))


@known_wrong(
    "hinge_loss",
    id="negative-side-counted",
    hint=2,
    en="You left out the relu: a point that is right by far gets a negative cost and pays for the mistakes of others. It costs 0.",
    es="Olvidaste relu: un punto que acierta de sobra recibe un costo negativo y paga los errores de otros. Cuesta 0.",
)
def hinge_loss(scores, labels):
    total = sum(1 - score * label for score, label in zip(scores, labels))
    return total * (1 / len(scores))


@known_wrong(
    "hinge_loss",
    id="relu-of-the-mean",
    hint=2,
    en="You took the relu of the mean. It belongs to each point, before they are added: a good point must not pay for a bad one.",
    es="Aplicaste relu a la media. Va en cada punto, antes de sumarlos: un punto bueno no debe pagar por uno malo.",
)
def hinge_loss(scores, labels):
    total = sum(1 - score * label for score, label in zip(scores, labels))
    return relu(total * (1 / len(scores)))


@known_wrong(
    "hinge_loss",
    id="loss-of-plain-numbers",
    hint=3,
    en="You computed with the plain numbers in the scores, and returned one. A plain number has no parents: backward cannot start there.",
    es="Calculaste con los números simples de las puntuaciones, y devolviste uno. Un número simple no tiene padres: backward no puede empezar ahí.",
)
def hinge_loss(scores, labels):
    return sum(max(0.0, 1 - score.data * label) for score, label in zip(scores, labels)) / len(scores)


@known_wrong(
    "hinge_loss",
    id="graph-cut",
    hint=3,
    en="You took the numbers out with .data and made fresh nodes of them. Those have no edge to the scores, so no gradient reaches them.",
    es="Sacaste los números con .data e hiciste nodos nuevos con ellos. No tienen aristas a las puntuaciones, así que ningún gradiente les llega.",
)
def hinge_loss(scores, labels):
    total = sum(max(0.0, 1 - score.data * label) for score, label in zip(scores, labels))
    return type(scores[0])(total / len(scores))


@known_wrong(
    "hinge_loss",
    id="labels-converted",
    hint=1,
    en="You turned labels 0 and 1 into -1 and 1. They are -1 and 1 already: 2 * -1 - 1 is -3.",
    es="Convertiste etiquetas 0 y 1 en -1 y 1. Ya son -1 y 1: 2 * -1 - 1 es -3.",
)
def hinge_loss(scores, labels):
    total = sum(relu(1 - score * (2 * label - 1)) for score, label in zip(scores, labels))
    return total * (1 / len(scores))


@known_wrong(
    "hinge_loss",
    id="labels-zero-and-one",
    hint=1,
    en="You weighted the two cases with label and 1 - label, as for labels 0 and 1. Here they are -1 and 1: label * score says it all.",
    es="Ponderaste los dos casos con label y 1 - label, como con etiquetas 0 y 1. Aquí son -1 y 1: label * score lo dice todo.",
)
def hinge_loss(scores, labels):
    total = sum(label * relu(1 - score) + (1 - label) * relu(1 + score) for score, label in zip(scores, labels))
    return total * (1 / len(scores))


@known_wrong(
    "hinge_loss",
    id="squared-hinge",
    hint=4,
    en="You squared the terms. That is another loss, the squared hinge; here each point costs relu(1 - label * score) itself.",
    es="Elevaste los términos al cuadrado. Esa es otra pérdida (squared hinge); aquí cada punto cuesta relu(1 - label * score).",
)
def hinge_loss(scores, labels):
    total = sum(relu(1 - score * label) ** 2 for score, label in zip(scores, labels))
    return total * (1 / len(scores))


@known_wrong(
    "hinge_loss",
    id="squared-error",
    hint=1,
    en="You squared the distance between score and label. Then a score of 3 for the label 1 is punished, though it is right by far.",
    es="Elevaste al cuadrado la distancia entre puntuación y etiqueta. Así se castiga una puntuación 3 con etiqueta 1, aunque acierta de sobra.",
)
def hinge_loss(scores, labels):
    total = sum((score - label) ** 2 for score, label in zip(scores, labels))
    return total * (1 / len(scores))


@known_wrong(
    "hinge_loss",
    id="label-minus-score",
    hint=1,
    en="You took label - score. For label 1 that is 1 - score, and right; for label -1 it is not. The cost is 1 - label * score.",
    es="Tomaste label - score. Con etiqueta 1 eso es 1 - score, y está bien; con -1 no. El costo es 1 - label * score.",
)
def hinge_loss(scores, labels):
    total = sum(relu(label - score) for score, label in zip(scores, labels))
    return total * (1 / len(scores))


@known_wrong(
    "hinge_loss",
    id="last-point-only",
    hint=4,
    en="Your total is replaced at every point, so the last one alone is left. Add each term to what is there already.",
    es="Tu total se sustituye en cada punto, así que solo queda el último. Suma cada término a lo que ya hay.",
)
def hinge_loss(scores, labels):
    for score, label in zip(scores, labels):
        total = relu(1 - score * label)
    return total * (1 / len(scores))


@known_wrong(
    "hinge_loss",
    id="first-point-only",
    hint=4,
    en="The return stands inside the loop: the first point alone is counted. Return when all terms have been added.",
    es="El return está dentro del bucle: solo se cuenta el primer punto. Devuelve cuando ya se sumaron todos los términos.",
)
def hinge_loss(scores, labels):
    total = 0
    for score, label in zip(scores, labels):
        total = total + relu(1 - score * label)
        return total * (1 / len(scores))


@known_wrong(
    "hinge_loss",
    id="python-max",
    hint=2,
    en="Python's max compares, and a Value cannot be compared with a number. Use the function relu(node) that is given in the file.",
    es="El max de Python compara, y un Value no se puede comparar con un número. Usa la función relu(node) que está dada en el archivo.",
)
def hinge_loss(scores, labels):
    total = sum(max(0, 1 - score * label) for score, label in zip(scores, labels))
    return total * (1 / len(scores))


@known_wrong(
    "hinge_loss",
    id="relu-as-a-method",
    hint=2,
    en="Your Value of lesson 01 has no method relu. Use the function relu(node) that is given in the file.",
    es="Tu Value de la lección 01 no tiene un método relu. Usa la función relu(node) que está dada en el archivo.",
)
def hinge_loss(scores, labels):
    total = sum((1 - score * label).relu() for score, label in zip(scores, labels))
    return total * (1 / len(scores))


@known_wrong(
    "hinge_loss",
    id="divides-a-value",
    hint=3,
    en="Your Value of lesson 01 knows no /. Multiply by the plain number 1 / n instead: it is the same.",
    es="Tu Value de la lección 01 no conoce /. Multiplica por el número simple 1 / n: es lo mismo.",
)
def hinge_loss(scores, labels):
    total = sum(relu(1 - score * label) for score, label in zip(scores, labels))
    return total / len(scores)


@known_wrong(
    "hinge_loss",
    id="number-when-nothing-costs",
    hint=3,
    en="When no point costs anything you return the plain number 0. Backward needs a node then, too: let relu make the zeros.",
    es="Cuando ningún punto cuesta nada devuelves el número simple 0. Aun así backward necesita un nodo: deja que relu haga los ceros.",
)
def hinge_loss(scores, labels):
    total = 0.0
    for score, label in zip(scores, labels):
        if score.data * label < 1:
            total = total + 1 - score * label
    return total * (1 / len(scores))


@known_wrong(
    "hinge_loss",
    id="list-of-terms",
    hint=4,
    en="You returned the list of terms. The loss is one node: their sum times 1 / n.",
    es="Devolviste la lista de términos. La pérdida es un solo nodo: su suma por 1 / n.",
)
def hinge_loss(scores, labels):
    return [relu(1 - score * label) for score, label in zip(scores, labels)]


@known_wrong(
    "hinge_loss",
    id="hinge-sides-swapped",
    hint=1,
    en="You subtracted the wrong way round: label * score - 1 lets points pay that are right by far. A point costs 1 - label * score.",
    es="Restaste al revés: con label * score - 1 pagan los puntos que aciertan de sobra. Un punto cuesta 1 - label * score.",
)
def hinge_loss(scores, labels):
    total = sum(relu(score * label - 1) for score, label in zip(scores, labels))
    return total * (1 / len(scores))


@known_wrong(
    "hinge_loss",
    id="zeros-without-nodes-and-a-division",
    hint=3,
    en="Two things. Your Value knows no /: multiply by 1 / n. And a point that costs nothing adds the plain 0: let relu make the zeros, as nodes.",
    es="Dos cosas. Tu Value no conoce /: multiplica por 1 / n. Y un punto que no cuesta nada suma el 0 simple: deja que relu haga los ceros, como nodos.",
)
def hinge_loss(scores, labels):
    total = 0
    for score, label in zip(scores, labels):
        if score.data * label < 1:
            total = total + 1 - score * label
    return total / len(scores)
