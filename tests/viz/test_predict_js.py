"""static/predict.js in a headless Chromium: a learner predicts a whole backward pass, also in a file from disk."""

import gzip
import re

import pytest
from viz_models import gpt
from viz_pictures import diamond, layer, neuron, product_and_sum, square
from widget_page import STATIC, Stepper, widget_page

from minitorch import viz
from minitorch.viz.facts import words

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1800)]


class Predicting(Stepper):
    """A stepper that asks."""

    def __init__(self, page, index=0):
        super().__init__(page, index)
        self.field = self.root.get_by_label("your answer")

    def asked(self):
        return self.root.locator(".question").inner_text()

    def reply(self):
        return self.root.locator(".reply").inner_text()

    def type(self, answer):
        """Types an answer and gives what is replied."""
        self.field.fill(answer)
        self.field.press("Enter")
        return self.reply()

    def seen(self):
        """All that a reader sees and a screen reader says, but not what is asked and replied."""
        return self.root.evaluate(
            """root => [...root.querySelectorAll('*')].filter(each => !each.closest('.predict')).flatMap(each =>
              [each.getAttribute('aria-label'), each.getAttribute('aria-valuetext'), each.getAttribute('title'),
               ...[...each.childNodes].filter(node => node.nodeType === 3).map(node => node.data)]).join(' | ')"""
        )


@pytest.fixture
def show(browser):
    """Shows a pass that is predicted, to a reader who wants no motion, and returns its view."""
    pages = []

    def shown(root, names=None, motion="reduce", **how):
        context = widget_page(browser, "predict.js", 800, motion)
        page = context.__enter__()
        pages.append(context)
        scene = viz.step(root, predict=True, names=names, **how)._player().state["scene"]
        page.evaluate("state => show(state)", {"scene": scene, "step": 0})
        view = Predicting(page)
        view.root.locator(".box").first.wait_for()
        return view

    yield shown
    for context in pages:
        context.__exit__(None, None, None)


def test_the_script_is_small():
    assert len(gzip.compress(STATIC.joinpath("predict.js").read_bytes(), 9)) <= 5_000


def test_a_learner_predicts_a_whole_pass_with_some_wrong_answers(show):
    view = show(*product_and_sum())
    assert view.asked() == "Step 1 of 5: The pass starts at loss. What is its gradient?"
    assert "the forward value of loss" in view.type("-4")
    assert view.step() == 0
    assert view.type("1") == "1 is right."
    assert (view.step(), view.field.input_value()) == (1, "")
    assert view.asked() == "Step 2 of 5: loss = v1 + x hands something on to v1. What arrives?"
    view.type("1")
    view.type("1")
    assert view.asked() == "Step 4 of 5: v1 = x × y hands something on to x. What arrives?"
    assert view.type("2") == (
        "2 comes out when x itself is taken as its local gradient; in x × y it is the other operand."
    )
    assert view.type("−3") == "−3 is right."
    assert view.asked() == "Step 4 of 5: −3 arrives at x, which has 1. What is its gradient now?"
    assert view.step() == 3
    assert "replaces what was there" in view.type("-3")
    view.type("-2")
    assert "adds to x: grad += 1 × −3 = −3, now −2" in view.status()
    assert view.type("17") == "17 is not it. What arrives is g × x, where g is the gradient of v1."
    view.type("2")
    assert view.step() == 5
    assert re.fullmatch(r"2 of 6 at the first try, in \d+ s\.", view.asked())
    assert view.reply() == (
        "2 is right. The wrong answers are those of: a forward value for a gradient (1×); "
        "the operand itself as its local gradient (1×); a sum overwritten (1×)."
    )
    view.press("Enter")  # the keyboard is on the button
    assert (view.step(), view.reply()) == (0, "")
    assert view.asked().startswith("Step 1 of 5")
    for right in ("1", "1", "1", "-3", "-2", "2"):
        view.type(right)
    assert view.asked().startswith("6 of 6 at the first try")
    assert view.reply() == "2 is right."


@pytest.mark.parametrize("make", [product_and_sum, square, neuron, diamond])
def test_nothing_shows_an_answer_before_it_is_typed(show, make):
    root, names = make()
    stepper = viz.step(root, names=names, predict=True)
    view = show(root, names)
    called = words.names(stepper.graph)
    view.node(stepper.graph.root).click()  # its details are open, too
    for question in stepper.questions:
        event = stepper.steps[question.step - 1]
        said = view.seen()
        assert words.sentence(stepper.trace, question.step, called, words.TYPESET) not in said
        right = question.fields["right"]
        known = {
            words.number(each.values[0], words.TYPESET)
            for each in (
                *(node.value for node in stepper.graph.nodes),
                *(each.after for each in stepper.steps[: question.step - 1]),
                *(each.contribution for each in stepper.steps[: question.step - 1]),
                *([event.contribution] if question.kind == "sum" else []),
            )
        } | {str(each) for each in range(10)}  # steps, and digits of names
        if right not in known:
            assert right not in re.split(r"[^\w.−]+", said)
        view.type(right)
    assert "at the first try" in view.asked()
    assert str(len(stepper.questions)) in view.asked()


def test_the_drawing_asks_where_the_number_goes(show):
    view = show(*product_and_sum())
    assert view.states()[3] == ("grad ?", "none")
    for right in ("1", "1"):
        view.type(right)
    marked = [(look, said) for look, said in view.edges().values() if "asked" in look]
    assert [said for _, said in marked] == ["= ?"]
    view.type("1")
    assert [said for look, said in view.edges().values() if "asked" in look] == ["+= ?"]
    assert view.states()[0] == ("grad 1", "some")
    view.type("-3")
    assert [said for look, said in view.edges().values() if "asked" in look] == ["+= −3"]
    assert view.states()[0][0] == "grad ?"
    assert all(said == "" for look, said in view.edges().values() if not look & {"came", "asked"}), "no local gradient"


def test_nobody_gets_past_a_question_without_an_answer(show):
    view = show(*product_and_sum())
    view.svg.focus()
    view.press("End", "ArrowRight")
    assert view.step() == 0
    assert view.page.evaluate("views[0].el.shadowRoot.activeElement.tagName") == "INPUT", "next leads to the question"
    view.press("Escape")
    view.scrub.fill("5")
    assert (view.step(), view.scrub.input_value()) == (0, "0")
    view.page.evaluate("views[0].model.set('step', 4)")
    assert "Step 0 of 5" in view.status()
    view.svg.focus()
    view.press(" ")
    view.root.get_by_role("button", name="play (space)").wait_for()
    assert view.step() == 0


def test_back_and_again_forward_to_the_question(show):
    view = show(*product_and_sum())
    for right in ("1", "1", "1"):
        view.type(right)
    view.svg.focus()
    view.press("ArrowLeft", "ArrowLeft")
    assert view.step() == 1
    assert view.asked() == "The next question is about step 4."
    assert view.field.is_hidden()
    view.root.get_by_role("button", name="go there").click()
    assert view.step() == 3
    assert view.type("-3") == "−3 is right."


@pytest.mark.parametrize("typed", ["0,786", "0.786", " .7864 ", "7.86e-1", "11/14", "= 0.786", "0.393 * 2", "+0.787"])
def test_a_number_may_be_written_in_many_ways(show, typed):
    view = show(*neuron())
    view.type("1")
    assert view.type(typed).endswith("is right.")


@pytest.mark.parametrize("typed", ["abc", "1..2", "1/", "--1", "0.7.8", "alert(1)", "{why}", "1e"])
def test_what_is_no_number_is_no_try(show, typed):
    view = show(*square())
    assert view.type(typed) == f"{typed.replace('-', '−')} cannot be read as a number: 0.5, −2, 1/3 and 1e-3 can."
    for right in ("1", "3", "3", "6"):
        view.type(right)
    assert view.asked().startswith("4 of 4 at the first try")


def test_too_few_digits_are_no_wrong_try(show):
    view = show(*neuron())
    view.type("1")
    assert view.type("0.79") == "0.79 is close: three significant digits are asked for."
    view.type("0.786")
    for right in ("0.786", "0.786", "1.57", "-2.36"):
        view.type(right)
    assert view.asked().startswith("6 of 6 at the first try")


def test_after_two_wrong_answers_the_right_one_can_be_had(show):
    view = show(*square())
    show_me = view.root.get_by_role("button", name="show me")
    view.type("1")
    view.type("7")
    assert show_me.is_hidden()
    view.type("8")
    show_me.click()
    assert view.reply() == "It is 3."
    assert "its first contribution: grad = 1 × 3 = 3" in view.status()
    assert show_me.is_hidden()
    view.type("3")
    view.type("6")
    assert view.asked().startswith("3 of 4 at the first try")
    assert view.asked().endswith("1 shown.")


def test_the_time_is_from_the_first_key_to_the_last(show):
    view = show(*square())
    view.page.clock.install(time=0)
    view.page.clock.pause_at(60)  # a busy machine adds nothing
    view.page.clock.run_for(50_000)  # nobody types
    view.field.press("1")
    view.page.clock.run_for(200_000)
    view.field.press("Enter")
    for right in ("3", "3", "6"):
        view.type(right)
    assert view.asked() == "4 of 4 at the first try, in 3 min 20 s."
    view.page.clock.run_for(60_000)
    view.svg.focus()
    view.press("ArrowLeft", "End")
    assert view.asked() == "4 of 4 at the first try, in 3 min 20 s."


def test_p_ends_asking_and_begins_it_again_where_the_reader_is(show):
    view = show(*product_and_sum())
    view.type("1")
    toggle = view.root.get_by_role("button", name="predict each number before it is shown (p)")
    assert toggle.get_attribute("aria-pressed") == "true"
    view.svg.focus()
    view.press("p", "ArrowRight")
    assert (view.step(), toggle.get_attribute("aria-pressed")) == (2, "false")
    assert view.field.is_hidden()
    view.press("p", "End")
    assert view.step() == 2
    assert view.asked().startswith("Step 3 of 5")
    view.press("p", "End")
    assert view.step() == 5
    view.press("p")
    assert (view.asked(), view.field.is_hidden()) == ("", True), "nothing is left to ask"


def test_the_whole_pass_by_keyboard_alone(show):
    view = show(*square())
    view.svg.focus()
    view.press("ArrowRight")
    for right in ("1", "3", "3", "6"):
        view.page.keyboard.type(right)
        view.press("Enter")
    assert view.asked().startswith("4 of 4")


def test_a_screen_reader_hears_the_question_and_the_reply(show):
    view = show(*square())
    assert view.root.locator(".question").get_attribute("aria-live") == "polite"
    assert view.root.locator(".reply").get_attribute("aria-live") == "polite"
    assert view.field.evaluate(
        "each => each.getRootNode().getElementById(each.getAttribute('aria-describedby')).textContent"
    )
    assert view.root.locator("svg [aria-label*='grad ']").count() == 0
    view.type("1")
    assert view.field.evaluate("each => each.getRootNode().activeElement === each")


def test_light_carries_the_number_that_was_typed(show):
    view = show(*square(), motion="no-preference")
    view.type("1")
    view.type("3")
    assert view.root.locator(".light").count() == 1
    assert view.states()[0][0] == "no gradient yet"
    assert not any("asked" in look for look, _ in view.edges().values()), "the next question waits until it is there"
    view.page.wait_for_function("views[0].el.shadowRoot.querySelectorAll('.light').length === 0")
    assert view.states()[0][0] == "grad 3"
    assert any("asked" in look for look, _ in view.edges().values())


def test_of_arrays_the_shape_is_asked(show):
    root, names = layer()
    view = show(root, names)
    view.type("1")
    assert view.asked() == "Step 2 of 8: loss = mean(v4) hands something on to v4. Which shape arrives?"
    assert view.type("()") == "() comes out when the shape of loss is taken; v4 has one of its own."
    assert view.type("six") == "six cannot be read as a shape: (3, 4) and 3,4 can."
    for right in ("6,3", "(6, 3)", "[6 3]", "6x3", "( 6,3, )"):
        view.type(right)
    assert view.asked().endswith("add(v1, b) hands something on to b. Which shape arrives?")
    assert view.type("6, 3") == "(6, 3) comes out when it is not summed over axis 0, along which b was stretched."
    assert view.type("3") == "(3,) is right."


def test_what_is_inside_a_closed_group_is_not_asked(show):
    model, loss = gpt()
    view = show(loss, {}, model=model)
    view.type("1")
    asked = view.asked()
    for _ in range(60):
        if view.step() == int(view.scrub.get_attribute("max")):
            break
        if view.field.is_visible():
            for _ in range(2):
                view.type("9, 9, 9, 9")
            view.root.get_by_role("button", name="show me").click()
        else:
            view.root.get_by_role("button", name="next step (right arrow)").click()
    assert asked.startswith("Step 2")
    assert "at the first try" in view.asked()
    assert int(re.search(r"of (\d+)", view.asked())[1]) < 60


def test_a_group_that_is_opened_before_it_is_reached_is_asked_about(show):
    model, loss = gpt()
    view = show(loss, {}, model=model)
    while view.field.is_visible():
        view.type("1")
        if view.field.input_value():
            view.type("9, 9")
            view.root.get_by_role("button", name="show me").click()
    step = view.step()
    assert "The next question is about step" in view.asked()
    for box in view.root.locator(".box[aria-expanded=false]").all()[::-1]:
        box.dispatch_event("click")
        if not view.asked().startswith("The next"):
            break
    assert view.asked().startswith(f"Step {step + 1} of")


def test_a_file_from_disk_asks_without_kernel_and_network(browser, tmp_path):
    path = viz.step(product_and_sum()[0], predict=True).save(tmp_path / "x.html")
    written = path.read_text(encoding="utf-8")
    assert "−2" not in re.sub(r"<script>.*?</script>", "", written, flags=re.DOTALL), "nor does the still say it"
    context = browser.new_context(offline=True, viewport={"width": 800, "height": 700}, reduced_motion="reduce")
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(path.as_uri())
    page.locator(".box").first.wait_for()
    field = page.get_by_label("your answer")
    for answer in ("1", "1", "1", "2", "-3", "-2", "2"):
        field.fill(answer)
        field.press("Enter")
    assert page.locator(".question").inner_text().startswith("5 of 6 at the first try")
    page.emulate_media(media="print")
    assert page.locator(".question").is_visible(), "who prints the page has the score on it"
    assert "at the first try" not in re.sub(r"<script>.*?</script>", "", written, flags=re.DOTALL)
    context.close()
    assert errors == []


def test_it_asks_in_a_notebooks_frame(browser, tmp_path):
    page = browser.new_context(offline=True, viewport={"width": 900, "height": 900}, reduced_motion="reduce").new_page()
    shown = viz.step(product_and_sum()[0], predict=True)._repr_mimebundle_()["text/html"]
    (tmp_path / "page.html").write_text(shown, encoding="utf-8")
    page.goto((tmp_path / "page.html").as_uri())
    frame = page.frame_locator("iframe")
    field = frame.get_by_label("your answer")
    field.fill("1")
    field.press("Enter")
    assert frame.locator(".reply").inner_text() == "1 is right."
    field.fill("-4")
    frame.get_by_role("button", name="check (Enter)").click()
    assert frame.locator(".reply").inner_text().startswith("−4 comes out when")
    page.context.close()


def test_a_learner_is_asked_in_spanish(show, monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "es")
    view = show(*product_and_sum())
    view.field = view.root.get_by_label("tu respuesta")
    assert view.asked() == "Paso 1 de 5: El recorrido empieza en loss. ¿Cuál es su gradiente?"
    assert view.type("1") == "1 es correcto."
    assert "como en un producto" in view.type("2")


def test_a_stepper_that_does_not_ask_has_nothing_of_it():
    document = viz.step(product_and_sum()[0])._player()
    assert "predict" not in document.state["scene"]
    assert "Predictions" not in document.program()
