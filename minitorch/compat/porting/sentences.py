"""Sentences about a line of a PyTorch program, in English and in Spanish, by key."""

from __future__ import annotations

from minitorch.language import Text, sentence

EN: dict[str, str] = {
    "port_import": "the import",
    "port_identity": "{sign} asks here whether both are the same Tensor",
    "port_perhaps_identity": (
        "{sign} asks here whether both are the same Tensor, and it is not known what {name} is: if it is a Tensor, "
        "write {root}.{method}(…, …)"
    ),
    "port_perhaps_array": (
        "{name} is a NumPy array here if what has it is a Tensor: write {root}.as_tensor({name}).{method}(…) then"
    ),
    "port_chain": "a chain of == on Tensors has no answer: compare with .eq(), and join with &",
    "port_grad": ".grad and a hook's gradient are NumPy arrays here",
    "port_data": ".data is a NumPy array here; .detach() shares its memory and is a Tensor",
    "port_moved": "torch.{name} is called {path} here",
    "port_absent": "torch.{name} is not here: use functions that docs/operators.md lists, or take the line out",
    "port_absent_because": "torch.{name} is not here: {why}",
    "port_no_method": "a Tensor has no {name} here: use methods that docs/operators.md lists, or take it out",
    "port_no_method_because": "there is no method {name} here: {why}",
    "port_argument": "{name} takes no argument {argument} here: leave it out if the result stays the same",
    "port_harmless": "{name} takes no {argument} here; it changes no number",
    "port_out": "{name} takes no out here: copy_ writes the result into it",
    "port_places": "{name} takes at most {most} arguments without a name here: write the others as name=value",
    "port_constructor": "Tensor(…) keeps the type of what it is given; PyTorch's gives float32, or a shape",
    "port_constructor_perhaps": (
        "Tensor(…) keeps the type of what it is given, and it is not known what that is: for values write "
        "{root}.tensor(…, dtype={root}.float32), for a shape {root}.empty(…)"
    ),
    "port_pickle": "a .pt file holds a pickle, which can run any program: files here end in .safetensors or .npz",
    "port_beside": "{name} needs PyTorch: read the data with minitorch.data or NumPy, write the model in minitorch.nn",
    "port_cuda": "a GPU is used through CuPy, and asked for by name",
    "port_threads": "OMP_NUM_THREADS says how many threads NumPy uses",
    "port_printing": "NumPy's np.set_printoptions is close; leave it out",
    "port_compile": "there is no compiler; minitorch.capture replays a training step",
    "port_variable": "a Tensor is a Variable",
    "port_one": "there is one process and one device",
    "port_method": "the same in other words",
    "port_function": "it is a function",
    "port_in_place": "the result is copied into its place",
    "port_memory": "memory is NumPy's",
    "port_distributed": "there is one process: take the distributed part out",
    "port_cuda_only": "CUDA's own tools belong to PyTorch: take the line out; docs/gpu.md says how a GPU is used",
    "port_graph_only": "programs are not compiled or exported: call the function itself",
    "port_sparse": "there are no sparse Tensors: use dense ones, or index_add",
    "port_small": "numbers are float16, float32, float64 and integers: quantise by hand",
    "port_bfloat16": "NumPy has no bfloat16: use float32",
    "port_complex": "there are no complex numbers: write the real and the imaginary part",
    "port_profiler": "use Python's cProfile or time.perf_counter",
    "port_hub": "weights of other origin are read from safetensors with minitorch.load",
    "port_board": "tensorboardX has the same SummaryWriter without PyTorch: pip install tensorboardX",
    "port_nested": "pad to one length and mask",
    "port_dtype": "a dtype is NumPy's, and has no {name}",
    "port_decomposition": "numpy.linalg has it without a gradient: x.detach().numpy()",
}
ES: dict[str, str] = {
    "port_import": "la importación",
    "port_identity": "{sign} pregunta aquí si ambos son el mismo Tensor",
    "port_perhaps_identity": (
        "{sign} pregunta aquí si ambos son el mismo Tensor, y no se sabe qué es {name}: si es un Tensor, escribe "
        "{root}.{method}(…, …)"
    ),
    "port_perhaps_array": (
        "si lo tiene un Tensor, {name} es aquí un array de NumPy: escribe entonces {root}.as_tensor({name}).{method}(…)"
    ),
    "port_chain": "una cadena de == con Tensors no tiene respuesta: compara con .eq() y une con &",
    "port_grad": ".grad y el gradiente de un hook son aquí arrays de NumPy",
    "port_data": ".data es aquí un array de NumPy; .detach() comparte su memoria y es un Tensor",
    "port_moved": "torch.{name} se llama aquí {path}",
    "port_absent": "torch.{name} no existe aquí: escríbelo con funciones de docs/operators.md, o quita la línea",
    "port_absent_because": "torch.{name} no existe aquí: {why}",
    "port_no_method": "un Tensor no tiene aquí {name}: escríbelo con métodos de docs/operators.md, o quítalo",
    "port_no_method_because": "aquí no hay un método {name}: {why}",
    "port_argument": "{name} no acepta aquí el argumento {argument}: quítalo si el resultado es el mismo",
    "port_harmless": "{name} no acepta aquí {argument}; no cambia ningún número",
    "port_out": "{name} no acepta aquí out: copy_ escribe el resultado en él",
    "port_places": "{name} acepta aquí como mucho {most} argumentos sin nombre: escribe los demás como nombre=valor",
    "port_constructor": "Tensor(…) conserva el tipo de lo que recibe; el de PyTorch da float32, o una forma",
    "port_constructor_perhaps": (
        "Tensor(…) conserva el tipo de lo que recibe, y no se sabe qué es: para valores escribe "
        "{root}.tensor(…, dtype={root}.float32), para una forma {root}.empty(…)"
    ),
    "port_pickle": (
        "un archivo .pt contiene un pickle, que puede ejecutar cualquier programa: los de aquí terminan en "
        ".safetensors o .npz"
    ),
    "port_beside": (
        "{name} necesita PyTorch: lee los datos con minitorch.data o NumPy, escribe el modelo en minitorch.nn"
    ),
    "port_cuda": "una GPU se usa a través de CuPy y se pide por su nombre",
    "port_threads": "OMP_NUM_THREADS dice cuántos hilos usa NumPy",
    "port_printing": "np.set_printoptions de NumPy se parece; quítalo",
    "port_compile": "no hay compilador; minitorch.capture repite un paso de entrenamiento",
    "port_variable": "un Tensor es una Variable",
    "port_one": "hay un proceso y un dispositivo",
    "port_method": "lo mismo dicho de otro modo",
    "port_function": "es una función",
    "port_in_place": "el resultado se copia en su lugar",
    "port_memory": "la memoria es de NumPy",
    "port_distributed": "hay un solo proceso: quita la parte distribuida",
    "port_cuda_only": (
        "las herramientas propias de CUDA son de PyTorch: quita la línea; docs/gpu.md dice cómo se usa una GPU"
    ),
    "port_graph_only": "los programas no se compilan ni se exportan: llama a la función misma",
    "port_sparse": "no hay Tensors dispersos: usa densos, o index_add",
    "port_small": "los números son float16, float32, float64 y enteros: cuantiza a mano",
    "port_bfloat16": "NumPy no tiene bfloat16: usa float32",
    "port_complex": "no hay números complejos: escribe la parte real y la imaginaria",
    "port_profiler": "usa cProfile de Python o time.perf_counter",
    "port_hub": "los pesos de otro origen se leen de safetensors con minitorch.load",
    "port_board": "tensorboardX tiene el mismo SummaryWriter sin PyTorch: pip install tensorboardX",
    "port_nested": "rellena hasta una sola longitud y enmascara",
    "port_dtype": "un dtype es de NumPy y no tiene {name}",
    "port_decomposition": "numpy.linalg la tiene sin gradiente: x.detach().numpy()",
}


def say(key: str, **fields: object) -> Text:
    """Return the sentence of a key with its fields filled in."""
    return sentence(EN[key], ES[key], **fields)
