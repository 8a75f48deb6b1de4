"""Sentences about a line of a PyTorch program, in English and in Spanish, by key."""

from __future__ import annotations

from minitorch.language import Text, sentence

EN: dict[str, str] = {
    "port_import": "the import",
    "port_identity": "{sign} asks here whether both are the same Tensor",
    "port_perhaps": "it is not known what {name} is: if it is a Tensor, write {instead}",
    "port_perhaps_shape": "for values, write {t}.tensor({name}, dtype={t}.float32); for a shape, {t}.empty({name})",
    "port_grad": ".grad and a hook's gradient are NumPy arrays here",
    "port_data": ".data is a NumPy array here; .detach() shares its memory and is a Tensor",
    "port_moved": "torch.{name} is called {path} here",
    "port_absent": "torch.{name} is not here: {why}",
    "port_no_method": "there is no method {name} here: {why}",
    "port_nowhere": "use what docs/operators.md lists, or take the line out",
    "port_argument": "{name} takes no argument {argument} here: leave it out if the result stays the same",
    "port_harmless": "{name} takes no {argument} here; it changes no number",
    "port_out": "{name} takes no {argument} here: copy_ writes the result into it",
    "port_constructor": "Tensor(…) keeps the type of what it is given; PyTorch's gives float32, or a shape",
    "port_pickle": "a .pt file holds a pickle, which can run any program: files here end in .safetensors or .npz",
    "port_beside": "{name} needs PyTorch: read the data with minitorch.data or NumPy, write the model in minitorch.nn",
    "port_cuda": "CUDA's own tools belong to PyTorch: take the line out; docs/gpu.md says how a GPU is used",
    "port_numpy": "NumPy looks after dtypes, memory, threads and printing",
    "port_compile": "programs are not compiled: call the function itself; minitorch.capture replays a training step",
    "port_variable": "a Tensor is a Variable",
    "port_one": "there is one process and one device: take the distributed part out",
    "port_method": "the same in other words",
    "port_sparse": "there are no sparse Tensors: use dense ones, or index_add",
    "port_numbers": "numbers are NumPy's integers and floats: quantise by hand; write the imaginary part by itself",
    "port_profiler": "use Python's cProfile or time.perf_counter",
    "port_hub": "weights of other origin are read from safetensors with minitorch.load",
    "port_board": "tensorboardX has the same SummaryWriter without PyTorch: pip install tensorboardX",
}
ES: dict[str, str] = {
    "port_import": "la importación",
    "port_identity": "{sign} pregunta aquí si ambos son el mismo Tensor",
    "port_perhaps": "no se sabe qué es {name}: si es un Tensor, escribe {instead}",
    "port_perhaps_shape": "para valores, escribe {t}.tensor({name}, dtype={t}.float32); para formas, {t}.empty({name})",
    "port_grad": ".grad y el gradiente de un hook son aquí arrays de NumPy",
    "port_data": ".data es aquí un array de NumPy; .detach() comparte su memoria y es un Tensor",
    "port_moved": "torch.{name} se llama aquí {path}",
    "port_absent": "torch.{name} no existe aquí: {why}",
    "port_no_method": "aquí no hay un método {name}: {why}",
    "port_nowhere": "usa lo que lista docs/operators.md, o quita la línea",
    "port_argument": "{name} no acepta aquí el argumento {argument}: quítalo si el resultado es el mismo",
    "port_harmless": "{name} no acepta aquí {argument}; no cambia ningún número",
    "port_out": "{name} no acepta aquí {argument}: copy_ escribe el resultado en él",
    "port_constructor": "Tensor(…) conserva el tipo de lo que recibe; el de PyTorch da float32, o una forma",
    "port_pickle": "un archivo .pt contiene un pickle, que ejecuta cualquier programa: usa aquí .safetensors o .npz",
    "port_beside": "{name} necesita PyTorch: lee datos con minitorch.data o NumPy, escribe el modelo con minitorch.nn",
    "port_cuda": "las herramientas de CUDA son de PyTorch: quita la línea; docs/gpu.md dice cómo se usa una GPU",
    "port_numpy": "NumPy se ocupa de los dtypes, la memoria, los hilos y la impresión",
    "port_compile": "no se compila: llama a la función misma; minitorch.capture repite un paso de entrenamiento",
    "port_variable": "un Tensor es una Variable",
    "port_one": "hay un solo proceso y un dispositivo: quita la parte distribuida",
    "port_method": "lo mismo dicho de otro modo",
    "port_sparse": "no hay Tensors dispersos: usa densos, o index_add",
    "port_numbers": "los números son enteros y floats de NumPy: cuantiza a mano; escribe aparte la parte imaginaria",
    "port_profiler": "usa cProfile de Python o time.perf_counter",
    "port_hub": "los pesos de otro origen se leen de safetensors con minitorch.load",
    "port_board": "tensorboardX tiene el mismo SummaryWriter sin PyTorch: pip install tensorboardX",
}


def say(key: str, **fields: object) -> Text:
    """Return the sentence of a key with its fields filled in."""
    return sentence(EN[key], ES[key], **fields)
