// On a phone what stands around a picture takes more lines: the picture is given them back, before it looks how much room it has.
const LINES = 110; // pixels
const grow = ({ addedNodes }) => {
  for (const each of addedNodes)
    if (each.matches?.(".minitorch-player > iframe")) each.style.height = `${parseFloat(each.style.height) + LINES}px`;
};
if (matchMedia("(max-width: 480px)").matches) {
  const parsed = new MutationObserver((changes) => changes.forEach(grow));
  parsed.observe(document, { childList: true, subtree: true });
  addEventListener("DOMContentLoaded", () => parsed.disconnect());
}
