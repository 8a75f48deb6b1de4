"""Known-wrong versions of `matmul_vjp`: each stands for one way to get it wrong."""

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "matmul_vjp",
    id="no-transposes",
    hint=2,
    en="You multiplied g by b and a as they are. Along a row of a_grad the sum runs over the columns of g and of b: that is b transposed. A square matrix hides it, because every shape fits.",
    es="Multiplicaste g por b y por a tal cual. En a_grad la suma recorre las columnas de g y de b: eso es b traspuesta. Una matriz cuadrada lo oculta, porque todas las formas encajan.",
)
def matmul_vjp(g, a, b):
    return unbroadcast(g @ b, a.shape), unbroadcast(a @ g, b.shape)


@known_wrong(
    "matmul_vjp",
    id="b-not-transposed",
    hint=2,
    en="In a_grad the matrix b is not transposed: g @ b sums over the rows of b. The sum over j of g[i, j] * b[k, j] runs along the columns of both.",
    es="En a_grad la matriz b no está traspuesta: g @ b suma por las filas de b. La suma sobre j de g[i, j] * b[k, j] recorre las columnas de ambas.",
)
def matmul_vjp(g, a, b):
    return unbroadcast(g @ b, a.shape), unbroadcast(np.swapaxes(a, -1, -2) @ g, b.shape)


@known_wrong(
    "matmul_vjp",
    id="a-not-transposed",
    hint=2,
    en="In b_grad the matrix a is not transposed: a @ g sums over the columns of a. The sum over i of a[i, k] * g[i, j] runs along the rows of both.",
    es="En b_grad la matriz a no está traspuesta: a @ g suma por las columnas de a. La suma sobre i de a[i, k] * g[i, j] recorre las filas de ambas.",
)
def matmul_vjp(g, a, b):
    return unbroadcast(g @ np.swapaxes(b, -1, -2), a.shape), unbroadcast(a @ g, b.shape)


@known_wrong(
    "matmul_vjp",
    id="factors-swapped",
    hint=2,
    en="The factors stand in the other order: b transposed times g. A matrix product changes when its factors change places: g stands left for a_grad, and right for b_grad.",
    es="Los factores están en el otro orden: b traspuesta por g. Un producto de matrices cambia si sus factores cambian de lugar: g va a la izquierda en a_grad y a la derecha en b_grad.",
)
def matmul_vjp(g, a, b):
    a_grad = np.swapaxes(b, -1, -2) @ g
    b_grad = g @ np.swapaxes(a, -1, -2)
    return unbroadcast(a_grad, a.shape), unbroadcast(b_grad, b.shape)


@known_wrong(
    "matmul_vjp",
    id="b-factors-swapped",
    hint=2,
    en="a_grad is right. In b_grad the factors stand in the other order: g must be on the right there, since b stood on the right of a.",
    es="a_grad está bien. En b_grad los factores están en el otro orden: g debe ir a la derecha, igual que b estaba a la derecha de a.",
)
def matmul_vjp(g, a, b):
    b_grad = g @ np.swapaxes(a, -1, -2)
    return unbroadcast(g @ np.swapaxes(b, -1, -2), a.shape), unbroadcast(b_grad, b.shape)


@known_wrong(
    "matmul_vjp",
    id="pair-swapped",
    hint=1,
    en="Both arrays are right, but in the other order: first comes the gradient of a, with a's shape, then that of b.",
    es="Los dos arrays están bien, pero en el otro orden: primero va el gradiente de a, con la forma de a, y luego el de b.",
)
def matmul_vjp(g, a, b):
    a_grad = g @ np.swapaxes(b, -1, -2)
    b_grad = np.swapaxes(a, -1, -2) @ g
    return unbroadcast(b_grad, b.shape), unbroadcast(a_grad, a.shape)


@known_wrong(
    "matmul_vjp",
    id="rules-swapped",
    hint=1,
    en="You gave a the rule of b, and b the rule of a. What a number of a does to the result depends on b: b belongs into a_grad.",
    es="Diste a a la regla de b y a b la regla de a. Lo que un número de a hace al resultado depende de b: b va en a_grad.",
)
def matmul_vjp(g, a, b):
    return unbroadcast(np.swapaxes(a, -1, -2) @ g, a.shape), unbroadcast(g @ np.swapaxes(b, -1, -2), b.shape)


@known_wrong(
    "matmul_vjp",
    id="t-reverses-all-axes",
    hint=3,
    en=".T turns all axes round, the batch axes as well: shape (2, 4, 5) becomes (5, 4, 2). Only the last two may change places.",
    es=".T invierte todos los ejes, también los del lote: la forma (2, 4, 5) pasa a (5, 4, 2). Solo los dos últimos deben intercambiarse.",
)
def matmul_vjp(g, a, b):
    return unbroadcast(g @ b.T, a.shape), unbroadcast(a.T @ g, b.shape)


@known_wrong(
    "matmul_vjp",
    id="two-axes-only",
    hint=3,
    en="g @ b.T and a.T @ g are right for two axes. With a batch, .T turns all axes round, and the batch axes that were stretched must be summed as well.",
    es="g @ b.T y a.T @ g valen para dos ejes. Con un lote, .T invierte todos los ejes, y además hay que sumar los ejes del lote que se estiraron.",
)
def matmul_vjp(g, a, b):
    return g @ b.T, a.T @ g


@known_wrong(
    "matmul_vjp",
    id="first-two-axes-swapped",
    hint=3,
    en="You exchanged axes 0 and 1. In a batch these are not the matrix's own: exchange the last two, -1 and -2.",
    es="Intercambiaste los ejes 0 y 1. En un lote esos no son los de la matriz: intercambia los dos últimos, -1 y -2.",
)
def matmul_vjp(g, a, b):
    a_grad = g @ np.swapaxes(b, 0, 1)
    b_grad = np.swapaxes(a, 0, 1) @ g
    return unbroadcast(a_grad, a.shape), unbroadcast(b_grad, b.shape)


@known_wrong(
    "matmul_vjp",
    id="batch-axes-not-summed",
    hint=4,
    en="One matrix was used for the whole batch, and each use sends a part of its gradient back. Sum over the batch axes along which it was stretched: unbroadcast does it.",
    es="Una sola matriz se usó para todo el lote, y cada uso devuelve una parte de su gradiente. Suma sobre los ejes del lote en los que se estiró: lo hace unbroadcast.",
)
def matmul_vjp(g, a, b):
    return g @ np.swapaxes(b, -1, -2), np.swapaxes(a, -1, -2) @ g


@known_wrong(
    "matmul_vjp",
    id="size-1-batch-not-summed",
    hint=4,
    en="You summed the batch axes that an operand lacks, but not those of size 1. They were stretched, too: unbroadcast sums both kinds.",
    es="Sumaste los ejes del lote que faltan en un operando, pero no los de tamaño 1. También se estiraron: unbroadcast suma los dos tipos.",
)
def matmul_vjp(g, a, b):
    a_grad = g @ np.swapaxes(b, -1, -2)
    b_grad = np.swapaxes(a, -1, -2) @ g
    while a_grad.ndim > a.ndim:
        a_grad = a_grad.sum(axis=0)
    while b_grad.ndim > b.ndim:
        b_grad = b_grad.sum(axis=0)
    return a_grad, b_grad


@known_wrong(
    "matmul_vjp",
    id="every-batch-axis-summed",
    hint=4,
    en="You summed over every batch axis. Where both operands have the axis, each matrix keeps its own gradient: sum only where one was stretched.",
    es="Sumaste sobre todos los ejes del lote. Donde los dos operandos tienen el eje, cada matriz conserva su gradiente: suma solo donde una se estiró.",
)
def matmul_vjp(g, a, b):
    a_grad = g @ np.swapaxes(b, -1, -2)
    b_grad = np.swapaxes(a, -1, -2) @ g
    batch = tuple(range(g.ndim - 2))
    return a_grad.sum(axis=batch), b_grad.sum(axis=batch)


@known_wrong(
    "matmul_vjp",
    id="batch-averaged",
    hint=4,
    en="You took the mean over the batch. Every use of a matrix sends back its whole part: the parts are summed.",
    es="Tomaste la media sobre el lote. Cada uso de una matriz devuelve su parte entera: las partes se suman.",
)
def matmul_vjp(g, a, b):
    def average(gradient, shape):
        while gradient.ndim > len(shape):
            gradient = gradient.mean(axis=0)
        ones = tuple(axis for axis, size in enumerate(shape) if size == 1 and gradient.shape[axis] != 1)
        return gradient.mean(axis=ones, keepdims=True)

    return average(g @ np.swapaxes(b, -1, -2), a.shape), average(np.swapaxes(a, -1, -2) @ g, b.shape)


@known_wrong(
    "matmul_vjp",
    id="entry-by-entry",
    hint=1,
    en="* multiplies entry by entry: that is the rule of a * b. In a product of matrices one number of a acts on a whole row of the result, so its gradient is a sum: use @.",
    es="* multiplica entrada por entrada: esa es la regla de a * b. En un producto de matrices un número de a actúa sobre toda una fila del resultado, así que su gradiente es una suma: usa @.",
)
def matmul_vjp(g, a, b):
    return g * b, g * a


@known_wrong(
    "matmul_vjp",
    id="entry-by-entry-summed-back",
    hint=1,
    en="That is the rule of a * b, entry by entry, summed back to shape. In a @ b each number of a meets a whole row of b: the rule is a product of matrices.",
    es="Esa es la regla de a * b, entrada por entrada, sumada de vuelta a la forma. En a @ b cada número de a se encuentra con toda una fila de b: la regla es un producto de matrices.",
)
def matmul_vjp(g, a, b):
    return unbroadcast(g * b, a.shape), unbroadcast(g * a, b.shape)


@known_wrong(
    "matmul_vjp",
    id="upstream-not-used",
    hint=1,
    en="g is not used. You differentiated the sum of all numbers of a @ b; each of them comes with a weight of its own, and g holds the weights.",
    es="No usas g. Derivaste la suma de todos los números de a @ b; cada uno lleva un peso propio, y g contiene los pesos.",
)
def matmul_vjp(g, a, b):
    ones = np.ones(g.shape)
    a_grad = ones @ np.swapaxes(b, -1, -2)
    b_grad = np.swapaxes(a, -1, -2) @ ones
    return unbroadcast(a_grad, a.shape), unbroadcast(b_grad, b.shape)


@known_wrong(
    "matmul_vjp",
    id="dot-of-batches",
    hint=3,
    en="np.dot is not @ for more than two axes: it multiplies every matrix of one batch by every matrix of the other. Use @.",
    es="Con más de dos ejes np.dot no es @: multiplica cada matriz de un lote por todas las del otro. Usa @.",
)
def matmul_vjp(g, a, b):
    a_grad = np.dot(g, np.swapaxes(b, -1, -2))
    b_grad = np.dot(np.swapaxes(a, -1, -2), g)
    return unbroadcast(a_grad, a.shape), unbroadcast(b_grad, b.shape)


@known_wrong(
    "matmul_vjp",
    id="b-forgotten",
    hint=1,
    en="Only a_grad came back. Both operands get a gradient: return the pair (a_grad, b_grad).",
    es="Solo devolviste a_grad. Los dos operandos reciben un gradiente: devuelve el par (a_grad, b_grad).",
)
def matmul_vjp(g, a, b):
    return unbroadcast(g @ np.swapaxes(b, -1, -2), a.shape)


@known_wrong(
    "matmul_vjp",
    id="reshaped-not-transposed",
    hint=2,
    en="reshape gives the wanted shape, but keeps the numbers in their reading order. Transposing moves row i to column i.",
    es="reshape da la forma deseada, pero conserva los números en su orden de lectura. Trasponer lleva la fila i a la columna i.",
)
def matmul_vjp(g, a, b):
    a_grad = g @ b.reshape(*b.shape[:-2], b.shape[-1], b.shape[-2])
    b_grad = a.reshape(*a.shape[:-2], a.shape[-1], a.shape[-2]) @ g
    return unbroadcast(a_grad, a.shape), unbroadcast(b_grad, b.shape)


@known_wrong(
    "matmul_vjp",
    id="reshaped-instead-of-summed",
    hint=4,
    en="A gradient with more numbers than its operand cannot be reshaped to it. The copies of an operand each send a part: sum them, with unbroadcast.",
    es="Un gradiente con más números que su operando no puede tomar su forma con reshape. Cada copia del operando envía una parte: súmalas con unbroadcast.",
)
def matmul_vjp(g, a, b):
    a_grad = g @ np.swapaxes(b, -1, -2)
    b_grad = np.swapaxes(a, -1, -2) @ g
    return a_grad.reshape(a.shape), b_grad.reshape(b.shape)


@known_wrong(
    "matmul_vjp",
    id="einsum-for-two-axes",
    hint=3,
    en="Your einsum names two axes, so it is right for plain matrices only. Write ... before them for the axes of a batch, and sum back what was stretched.",
    es="Tu einsum nombra dos ejes, así que solo vale para matrices simples. Escribe ... delante para los ejes de un lote y suma lo que se estiró.",
)
def matmul_vjp(g, a, b):
    return np.einsum("ij,kj->ik", g, b), np.einsum("ik,ij->kj", a, g)


@known_wrong(
    "matmul_vjp",
    id="results-transposed",
    hint=2,
    en="The numbers are right, but each gradient is turned round: b @ g.T is the transpose of g @ b.T. A gradient has its operand's shape.",
    es="Los números están bien, pero cada gradiente está girado: b @ g.T es la traspuesta de g @ b.T. Un gradiente tiene la forma de su operando.",
)
def matmul_vjp(g, a, b):
    g_turned = np.swapaxes(g, -1, -2)
    return unbroadcast(b @ g_turned, a.shape), unbroadcast(g_turned @ a, b.shape)


@known_wrong(
    "matmul_vjp",
    id="divided-by-the-rows",
    hint=2,
    en="You divided b_grad by the number of rows. A product takes no mean: if there is one, it stands in the loss, and g already contains its 1/N.",
    es="Dividiste b_grad entre el número de filas. Un producto no toma ninguna media: si la hay, está en la pérdida, y g ya contiene su 1/N.",
)
def matmul_vjp(g, a, b):
    a_grad = g @ np.swapaxes(b, -1, -2)
    b_grad = np.swapaxes(a, -1, -2) @ g
    return unbroadcast(a_grad, a.shape), unbroadcast(b_grad, b.shape) / len(a)


@known_wrong(
    "matmul_vjp",
    id="g-summed-back-first",
    hint=5,
    en="You brought g to an operand's shape before the product. g belongs to the result: multiply first, then sum the product back to the operand's shape.",
    es="Llevaste g a la forma de un operando antes del producto. g pertenece al resultado: multiplica primero y luego suma el producto hacia atrás a la forma del operando.",
)
def matmul_vjp(g, a, b):
    a_grad = unbroadcast(g, a.shape) @ np.swapaxes(b, -1, -2)
    b_grad = np.swapaxes(a, -1, -2) @ unbroadcast(g, b.shape)
    return a_grad, b_grad
