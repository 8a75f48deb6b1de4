// The player of a graph and of its backward pass, as a widget and as a document.

import { stepper } from "./stepper.js";

const render = ({ model, el }) => stepper({ model, el });

export default { render };
