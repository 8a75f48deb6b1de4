"""The page on which a lecture is given, in a headless Chromium, from disk, without a network."""

SIZES = {"1080": {"width": 1920, "height": 1080}, "720": {"width": 1280, "height": 720}}
AT = "document.getElementById('player').shadowRoot"
# Every piece of text that is seen: its size on the screen in pixels, and what it says.
LETTERS = """() => {
  const root = document.getElementById('player').shadowRoot, found = [];
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode, element = text.parentElement;
    if (!text.textContent.trim() || !element?.checkVisibility() || element.closest('style,title,desc')) continue;
    if (getComputedStyle(element).display === 'none' || !element.getBoundingClientRect().width) continue;
    const drawn = element.closest('svg')?.getScreenCTM().a ?? element.currentCSSZoom;
    const size = parseFloat(getComputedStyle(element).fontSize);
    found.push([size * drawn, text.textContent.trim()]);
  }
  return found;
}"""


class Deck:
    """The page on which a lecture is given."""

    def __init__(self, page):
        self.page = page
        self.root = page.locator(".root").first

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def at(self):
        return self.root.locator("footer span").first.inner_text()

    def words(self):
        return self.root.locator(".slide > header").inner_text()

    def view(self):
        image = self.root.locator(".stage > svg")
        return image.get_attribute("viewBox") if image.count() else ""

    def ground(self):
        return self.root.evaluate("root => getComputedStyle(root).backgroundColor")
