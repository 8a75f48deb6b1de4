"""Whether the player in a frame is alive: it is used as a person would use it, and shows something else."""

PATIENCE = 6000  # tenths of a second
STEPS = ("Home", "ArrowRight", "End")
PLAYS = "button[aria-label$='(space)'], button[aria-label$='(espacio)']"
NEARER = "button[aria-label$='(+)']"
PREDICTS = "button[aria-label$='(p)'][aria-pressed='true']"


def is_alive(frame) -> bool:
    """Use a player once, and say whether it answers."""
    if not frame.get_by_role("slider").count():
        return _answers(frame, lambda: _use_without_slider(frame))
    if frame.locator(PREDICTS).count():
        return _answers(frame, lambda: _predict(frame))
    if frame.locator(PLAYS).count():
        return is_scrubbed(frame)
    return _answers(frame, lambda: frame.get_by_role("slider").first.press("ArrowRight"))  # a number is nudged


def is_scrubbed(frame) -> bool:
    """Move a player to its first and its last step by keyboard; say whether each step is another one."""
    scrub, status = frame.get_by_role("slider"), frame.get_by_role("status")
    scrub.focus()
    said = []
    for key in STEPS:
        scrub.press(key)
        said.append(status.inner_text())
    return len(set(said)) == len(STEPS) and scrub.input_value() == scrub.get_attribute("max")


def _use_without_slider(frame) -> None:
    """Choose another drawing, read a curve at its end, or come nearer to a graph."""
    if frame.get_by_role("radio").count():
        frame.get_by_role("radio").last.click()
    elif frame.locator(NEARER).count():
        frame.locator(NEARER).click()
    else:
        frame.locator(".stage").press("End")


def _predict(frame) -> None:
    answer = frame.get_by_role("textbox").first
    answer.fill("0.123")
    answer.press("Enter")


def _answers(frame, use) -> bool:
    root = frame.locator(".root")
    before = root.inner_html()
    use()
    for _ in range(PATIENCE):  # what it shows is drawn with the next picture of the screen
        if root.inner_html() != before:
            return True
        frame.page.wait_for_timeout(100)
    return False
