// A card that answers: pieces of HTML from Python, and buttons that tell Python which of them was pressed.
//
// parts: [[name, html], ...], each in a place of its own. replies: {say: parts} where the answer to a press is known
// ahead, so that it comes even while the kernel is busy. "said" and "hint" are read aloud when they change.

const SPOKEN = new Set(["said", "hint"]);

function render({ model, el }) {
  el.classList.add("minitorch-live");
  const places = new Map();

  function draw() {
    const before = places.size > 0;
    for (const [name, html] of model.get("parts")) {
      let place = places.get(name);
      if (!place) {
        place = el.appendChild(document.createElement("div"));
        place.dataset.part = name;
        if (SPOKEN.has(name)) place.setAttribute("role", "status");
        places.set(name, place);
      }
      if (place.dataset.html === html) continue;
      const pressed = place.contains(document.activeElement) && document.activeElement.dataset.say;
      place.dataset.html = html;
      place.innerHTML = html;
      if (pressed) place.querySelector(`[data-say="${CSS.escape(pressed)}"]`)?.focus();
      if (before && SPOKEN.has(name)) place.scrollIntoView({ block: "nearest" });
    }
  }

  function press(event) {
    const button = event.target.closest("[data-say]");
    if (button) {
      const { say } = button.dataset;
      const reply = model.get("replies")[say];
      if (reply) {
        model.set("parts", reply);
        model.save_changes();
      }
      model.send({ say });
    }
    const link = event.target.closest("[data-goes]");
    if (link) {
      // JupyterLab opens the same link in the card that is kept beside this one.
      event.preventDefault();
      const still = [...(el.closest(".jp-OutputArea")?.querySelectorAll(".minitorch-still [data-goes]") ?? [])];
      still.find(each => each.dataset.goes === link.dataset.goes)?.click();
    }
  }

  const stay = event => event.stopPropagation(); // Enter and Space are the button's, not the notebook's
  el.addEventListener("click", press);
  el.addEventListener("keydown", stay);
  model.on("change:parts", draw);
  draw();
  return () => {
    model.off("change:parts", draw);
    el.removeEventListener("click", press);
    el.removeEventListener("keydown", stay);
  };
}

export default { render };
